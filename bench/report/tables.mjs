// Tables as rows of cells, and their print in a terminal.

import { findDisagreement, findRatio, findTargets, fitExponent, formatSetting, formatSize, groupByLabel, isGood, targetsOf } from "./figures.mjs";

const dash = "-";
const exponential = (value) => (value === 0 ? "0" : Number.isFinite(value) ? value.toExponential(1) : dash);
const precise = (value, digits = 3) => (Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : dash);
const ratioText = (ratio) => (ratio === undefined ? "" : ratio === null ? "no peer" : precise(ratio));

/** { title, head, rows }; cells are text. */
export function makeRunTable(problem, { size, rows }) {
  const title = `${problem.title}${Object.keys(size).length ? `, ${formatSize(size)}` : ""}: runs`;
  const head = ["program", "setting", "CPU ms", "steps", "evaluations", "us/eval", "max |Phi|", "energy J", "error", "ours/peer"];
  const cells = rows.map((row) => {
    const begin = [row.label, formatSetting(row.setting)];
    if (!isGood(row)) return [...begin, `${row.status}${row.message ? `: ${String(row.message).split("\n")[0].slice(0, 70)}` : ""}`];
    return [
      ...begin,
      precise(1e3 * row.cpu),
      String(row.steps),
      String(row.evaluations),
      precise((1e6 * row.cpu) / row.evaluations),
      exponential(row.max_phi),
      exponential(row.energy_error),
      exponential(row.error),
      ratioText(findRatio(row, rows)),
    ];
  });
  return { title, head, rows: cells };
}

export function makeTargetTable(problem, { size, rows }) {
  const targets = findTargets(problem, rows);
  const title = `${problem.title}${Object.keys(size).length ? `, ${formatSize(size)}` : ""}: CPU ms to reach`;
  const head = ["program", ...targets.map((target) => target.label)];
  const cells = [...groupByLabel(rows).keys()].map((label) => [
    label,
    ...targets.map(({ cheapest }) => {
      const row = cheapest.get(label);
      return row ? `${precise(1e3 * row.cpu)} (${formatSetting(row.setting)})` : "not reached";
    }),
  ]);
  cells.push([
    "ours / best peer",
    ...targets.map(({ ours, peer, ratio }) =>
      ratio !== undefined ? `${precise(ratio)} (${peer.label})` : ours ? "no peer reaches it" : peer ? "not reached by ours" : dash,
    ),
  ]);
  return { title, head, rows: cells };
}

/** One evaluation: microseconds, per body, instructions; sizes below each other. */
export function makeEvaluationTable(problem, evaluations) {
  const many = problem.sizes.length > 1;
  const counted = evaluations.some((row) => row.instructions);
  const head = [
    ...(many ? ["size"] : []),
    "program",
    "us/eval",
    ...(many ? ["us/body"] : []),
    ...(problem.steps ? ["us/step", "us/step/body"] : []),
    ...(counted ? ["instructions"] : []),
    "to floor",
    "to best peer",
  ];
  const rows = evaluations.map((row) => {
    const same = evaluations.filter((each) => each.size === row.size && each.status === "ok");
    const floor = same.find((each) => !each.ours && !each.peer);
    const peers = same.filter((each) => each.peer).map((each) => each.seconds);
    const begin = [...(many ? [formatSize(row.size)] : []), row.label];
    if (row.status !== "ok") return [...begin, `${row.status}${row.message ? `: ${String(row.message).split("\n")[0].slice(0, 70)}` : ""}`];
    const bodies = problem.bodies?.(row.size);
    return [
      ...begin,
      precise(1e6 * row.seconds),
      ...(many ? [precise((1e6 * row.seconds) / bodies)] : []),
      ...(problem.steps ? [precise(1e6 * row.step), precise((1e6 * row.step) / bodies)] : []),
      ...(counted ? [row.instructions ? precise(row.instructions, 4) : dash] : []),
      floor ? precise(row.seconds / floor.seconds) : dash,
      row.ours && peers.length > 0 ? precise(row.seconds / Math.min(...peers)) : "",
    ];
  });
  return { title: `${problem.title}: one evaluation`, head, rows };
}

/** How the time of one evaluation grows: exponents between sizes from 10 to 1000 bodies. */
export function makeGrowthTable(problem, evaluations) {
  const kinds = new Map();
  for (const row of evaluations) {
    const bodies = problem.bodies(row.size);
    if (row.status !== "ok" || bodies < 10 || bodies > 1000) continue;
    const key = [row.size.joint, row.label].filter(Boolean).join(", ");
    kinds.set(key, [...(kinds.get(key) ?? []), [bodies, row.seconds]]);
  }
  const rows = [...kinds].map(([key, points]) => [key, precise(fitExponent(points)), points.map(([bodies]) => bodies).join(", ")]);
  return { title: `${problem.title}: growth with the number of bodies`, head: ["program", "exponent", "fitted to bodies"], rows };
}

export function makeTables({ problem, evaluations, runs }) {
  const tables = [];
  if (evaluations.length > 0) tables.push(makeEvaluationTable(problem, evaluations));
  if (problem.bodies && evaluations.length > 0) tables.push(makeGrowthTable(problem, evaluations));
  for (const run of runs) {
    if (run.rows.length > 0) tables.push(makeRunTable(problem, run), makeTargetTable(problem, run));
  }
  return tables;
}

export function formatTable({ title, head, rows }) {
  const widths = head.map((word, k) => Math.max(word.length, ...rows.filter((row) => row.length === head.length).map((row) => row[k].length)));
  const line = (cells) => cells.map((cell, k) => (k === 0 || Number.isNaN(Number(cell)) ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join("  ").trimEnd();
  return [`\n${title}`, line(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

export function printProblem(result) {
  for (const table of makeTables(result)) console.log(formatTable(table));
  const { difference, label, size } = findDisagreement(result.evaluations);
  if (difference > 1e-6) console.log(`\nNOT THE SAME PROBLEM? ${label}${formatSize(size) && `, ${formatSize(size)}`}: accelerations differ by ${exponential(difference)}`);
}

export { targetsOf };

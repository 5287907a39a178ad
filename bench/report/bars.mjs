// What the program must reach, as ratios within one run. Microseconds are for a machine on which the floor of the ladder takes
// 0.16 us per body; they are scaled by what it takes here.

import { findCheapest, fitExponent, formatSize } from "./figures.mjs";
import { formatTable } from "./tables.mjs";

const kFloorOfBars = 0.16; // us per body

const precise = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(3))) : "-");

/** [what, measured, bound]; the bar is met if measured <= bound. */
function makeEvaluationBars(result, scale) {
  const { problem, evaluations } = result;
  const bars = [];
  const good = evaluations.filter((row) => row.status === "ok");
  for (const label of new Set(good.filter((row) => row.ours).map((row) => row.label))) {
    const kinds = new Set(problem.sizes.map((size) => size.joint ?? size.shape));
    for (const kind of kinds) {
      const mine = good.filter((row) => row.label === label && (row.size.joint ?? row.size.shape) === kind);
      const points = mine.map((row) => [problem.bodies(row.size), row.seconds]).filter(([bodies]) => bodies >= 10 && bodies <= 1000);
      const name = [problem.name, kind, label].filter(Boolean).join(", ");
      bars.push([`${name}: exponent, 10 to 1000 bodies (${points.length} sizes)`, fitExponent(points), 1.1]);
      for (const row of mine) {
        const floor = good.find((each) => !each.ours && !each.peer && each.size === row.size);
        if (row.name === "ours" && problem.name === "n_four_bar" && (row.size.n === 2 || row.size.n >= 40)) {
          bars.push([`${name}, N = ${row.size.n}: evaluation / floor`, row.seconds / floor?.seconds, row.size.n === 2 ? 1.4 : 1.25]);
        }
        if (problem.name === "chain" && row.name === "oursJoint") {
          const bound = (kind === "revolute" ? 0.18 : 0.4) * scale;
          bars.push([`${name}, N = ${row.size.n}: us per body`, (1e6 * row.seconds) / row.size.n, bound]);
        }
      }
    }
  }
  return bars;
}

/** Ours over the cheapest of some peers, both within an accuracy. */
function compare(rows, test, isPeer) {
  const ours = findCheapest(rows.filter((row) => row.ours), test);
  const peer = findCheapest(rows.filter(isPeer), test);
  if (!ours) return NaN;
  return peer ? ours.cpu / peer.cpu : 0;
}

function makeLadderBars({ runs }, scale) {
  const bars = [];
  for (const { size, rows } of runs) {
    if (rows.length === 0) continue;
    const name = `n_four_bar, ${formatSize(size)}`;
    for (const target of [1e-6, 1e-9]) {
      const best = Math.min(...rows.filter((row) => row.ours && row.status === "ok").map((row) => row.error));
      bars.push([`${name}: smallest error of ours`, best, target]);
    }
    if (size.n !== 40) continue;
    const calm = (row) => row.energy_error < 0.1 && row.error < 0.1;
    bars.push([`${name}, energy to 0.1 J: ours / best peer`, compare(rows, calm, (row) => row.peer), 0.5]);
    bars.push([`${name}, energy to 0.1 J: ours / MuJoCo`, compare(rows, calm, (row) => row.name === "mujoco"), 0.2]);
    const ours = findCheapest(rows.filter((row) => row.ours), calm);
    bars.push([`${name}, energy to 0.1 J: s; half of a tuned Pinocchio program's`, ours?.cpu ?? NaN, 0.014 * scale]);
  }
  return bars;
}

function makeRunBars({ problem, runs }) {
  const rows = runs[0].rows;
  const bars = [];
  const add = (target, bound, isPeer, who) => {
    const ratio = compare(rows, (row) => row.error <= target, isPeer);
    bars.push([`${problem.name}, error ${target.toExponential()}: ours / ${who}`, ratio, bound]);
  };
  const isErk8 = (row) => row.name === "erk8";
  if (problem.name === "andrews") for (const target of [1e-3, 1e-6, 1e-9]) add(target, 0.5, isErk8, "ARKODE");
  else if (problem.name === "slider_crank") add(1e-5, 0.5, isErk8, "ARKODE");
  else for (const target of [1e-3, 1e-6, 1e-9]) add(target, 1.0, (row) => row.peer, "best peer");
  return bars;
}

/** `small`: what bench/expressions.cpp says. */
function makeSmallBars({ terms, steps }, scale) {
  return [
    ...terms.map(({ name, compiled, written }) => [`expressions of ${name}: ours / C++ by hand`, compiled / written, 3]),
    ...steps.map(({ name, perCoordinate }) => [`one step of ${name}: us per coordinate`, 1e6 * perCoordinate, scale]),
  ];
}

/** `floor`: us per body of the ladder's floor program in this run. */
export function printBars(results, small, floor) {
  const scale = floor / kFloorOfBars;
  const bars = results.flatMap((result) => [
    ...(result.problem.bodies ? makeEvaluationBars(result, scale) : []),
    ...(result.problem.name === "n_four_bar" ? makeLadderBars(result, scale) : result.runs[0].rows.length > 0 ? makeRunBars(result) : []),
  ]);
  if (small) bars.push(...makeSmallBars(small, scale));
  const verdict = (measured, bound) => (!Number.isFinite(measured) ? "not measured" : measured <= bound ? "yes" : `no, by ${precise(measured / bound)}`);
  const table = {
    title: `Bars (the ladder's floor takes ${precise(floor)} us per body here; times are scaled by ${precise(scale)})`,
    head: ["bar", "measured", "bound", "met"],
    rows: bars.map(([name, measured, bound]) => [name, precise(measured), precise(bound), verdict(measured, bound)]),
  };
  if (bars.length > 0) console.log(formatTable(table));
  return table;
}

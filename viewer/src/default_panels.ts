// The plots that a page begins with.

import type { Run } from "./data";
import type { PanelSpec } from "./panel";

const DRIFT: [string, string, string[]][] = [
  ["Constraint error", "phi", ["phi", "phi_dot"]],
  ["Energy error", "energy_error", ["energy_error"]],
  ["Smallest singular value of G", "sigma_min", ["sigma_min"]],
  ["Step size", "step", ["step"]],
  ["Order", "order", ["order"]],
];

/** First the motion, then the drift. */
export function defaultPanels(runs: Run[]): PanelSpec[] {
  const { columns, scene } = runs[0];
  const drift = new Set(DRIFT.flatMap((each) => each[2]));
  const own = columns.slice(1).filter((column) => !drift.has(column.name));
  const namesOf = (kind: string) => new Set((scene?.elements ?? []).filter((each) => each.kind === kind).map((each) => each.name));
  const owners = namesOf("joint"), measures = namesOf("measure");
  const plain = own.filter((column) => !column.name.endsWith("'"));
  const hasBodies = scene !== null || plain.some((column) => column.name.includes("."));
  const records = hasBodies ? plain.filter((column) => !column.name.includes(".") || measures.has(column.name.split(".")[0])) : findRecords(runs[0]);
  // A table without its model does not say what is a joint: bodies have places.
  const isJoint = (name: string) => (scene ? owners.has(name) : runs[0].find(`${name}.x`) < 0);
  const joints = plain.filter((column) => {
    const [owner, part] = column.name.split(".");
    return /^(angle|position|angle\d|position\d)$/.test(part ?? "") && isJoint(owner);
  });
  const motion = records.length > 0 ? records : joints.length > 0 ? joints : plain;
  const groups = new Map<string, string[]>();
  // Of an equation model not every unit is known: what has none goes with the first that has one.
  const likely = hasBodies ? "" : motion.find((column) => column.shown)?.shown ?? "";
  for (const column of motion) {
    const unit = column.shown || likely;
    groups.set(unit, [...(groups.get(unit) ?? []), column.name]);
  }
  const specs: PanelSpec[] = [...groups.values()].slice(0, 3).map((names) => ({
    title: names.length === 1 ? "" : records.length > 0 ? "Recorded" : joints.length > 0 ? "Joint coordinates" : "Motion",
    names: names.slice(0, 6), log: false,
  }));
  for (const [title, key, names] of DRIFT) {
    // Without constraints there is neither an error of them nor G.
    if ((key === "sigma_min" || key === "phi") && runs.every((run) => run.report?.rows === 0)) continue;
    if (runs.some((run) => run.find(key) > 0)) specs.push({ title, names, log: key !== "order", half: key === "step" || key === "order" });
  }
  return specs;
}

/** Of an equation model: recorded names stand behind the coordinates and their rates. */
function findRecords(run: Run) {
  const columns = run.columns.slice(1);
  let behind = 0;
  columns.forEach((column, k) => { if (column.name.endsWith("'")) behind = k + 1; });
  const end = run.find("phi") > 0 ? run.find("phi") - 1 : columns.length;
  return behind > 0 ? columns.slice(behind, end) : [];
}

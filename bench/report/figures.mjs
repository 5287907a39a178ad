// What follows from the measurements: times to reach an accuracy, ratios, growth with size.

export const targetsOf = (problem) => problem.targets ?? [1e-3, 1e-6, 1e-9];

export const formatSize = (size) => Object.entries(size).map(([key, value]) => (key === "n" ? `N = ${value}` : value)).join(", ");

const kSettingWords = { tolerance: "tol", step: "h", accuracy: "acc" };
export function formatSetting(setting) {
  return Object.entries(setting)
    .map(([key, value]) => (key === "method" ? value.split("/").slice(1).join("/") : `${kSettingWords[key] ?? key} ${value.toExponential()}`))
    .join(" ");
}

export const isGood = (row) => row.status === "ok" && row.cpu > 0;

/** The cheapest run of some rows that satisfies a test. */
export function findCheapest(rows, test) {
  const good = rows.filter((row) => isGood(row) && test(row));
  return good.reduce((best, row) => (best === undefined || row.cpu < best.cpu ? row : best), undefined);
}

/** By label, in the order of the runs. */
export function groupByLabel(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.label, [...(groups.get(row.label) ?? []), row]);
  return groups;
}

/** Our time over that of the cheapest peer that is at least as accurate; null: no peer is. */
export function findRatio(row, rows) {
  if (!row.ours || !isGood(row)) return undefined;
  const peer = findCheapest(rows, (each) => each.peer && each.error <= row.error);
  return peer ? row.cpu / peer.cpu : null;
}

function makeTests(problem) {
  const tests = targetsOf(problem).map((target) => ({ label: `error ${target.toExponential()}`, test: (row) => row.error <= target }));
  if (problem.energyTarget) {
    tests.push({ label: `energy ${problem.energyTarget} J`, test: (row) => row.energy_error < problem.energyTarget && row.error < 0.1 });
  }
  return tests;
}

/** Runs that may be the cheapest to reach a target, of ours or of the peers: those worth measuring again. */
export function findContenders(problem, rows) {
  const kNear = 1.5;
  const found = new Set();
  for (const { test } of makeTests(problem)) {
    for (const side of [rows.filter((row) => row.ours), rows.filter((row) => row.peer)]) {
      const best = findCheapest(side, test);
      for (const row of side) if (isGood(row) && test(row) && row.cpu < kNear * best.cpu) found.add(row);
    }
  }
  return [...found];
}

/** Per target: the cheapest run of each variant, and ours over the best peer. */
export function findTargets(problem, rows) {
  return makeTests(problem).map(({ label, test }) => {
    const cheapest = new Map([...groupByLabel(rows)].map(([name, group]) => [name, findCheapest(group, test)]));
    const ours = findCheapest(rows.filter((row) => row.ours), test);
    const peer = findCheapest(rows.filter((row) => row.peer), test);
    const ratio = ours && peer ? ours.cpu / peer.cpu : undefined;
    return { label, cheapest, ours, peer, ratio };
  });
}

/** The exponent p of seconds ~ size^p, fitted to the logarithms. */
export function fitExponent(points) {
  if (points.length < 2) return undefined;
  const logs = points.map(([n, seconds]) => [Math.log(n), Math.log(seconds)]);
  const mean = (k) => logs.reduce((sum, each) => sum + each[k], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const top = logs.reduce((sum, each) => sum + (each[0] - x) * (each[1] - y), 0);
  return top / logs.reduce((sum, each) => sum + (each[0] - x) ** 2, 0);
}

/** Whether all programs told the same acceleration: the largest relative difference from the floor, without soft constraints. */
export function findDisagreement(evaluations) {
  let worst = { difference: 0 };
  for (const row of evaluations) {
    const floor = evaluations.find((each) => !each.ours && !each.peer && each.size === row.size && Number.isFinite(each.check));
    if (!floor || !Number.isFinite(row.check) || row.name.startsWith("mujoco")) continue;
    const difference = Math.abs(Math.abs(row.check) - Math.abs(floor.check)) / Math.max(1e-300, Math.abs(floor.check));
    if (difference > worst.difference) worst = { difference, label: row.label, size: row.size };
  }
  return worst;
}

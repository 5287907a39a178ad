// Runs the benchmark: all programs on all problems, one process per measurement, so that nothing that fails takes the rest with
// it. Prints one table per problem and writes build/bench/index.html and build/bench/results.json. Called by ./dev bench.
//
// usage: node bench/run.mjs BUILD [--quick] [--no-counts] [--seconds=S] [PROBLEM...]

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import andrews from "./problems/andrews.mjs";
import chain from "./problems/chain.mjs";
import fourBar from "./problems/four_bar_3d.mjs";
import fourBars from "./problems/n_four_bar.mjs";
import growth from "./problems/growth.mjs";
import pendulum from "./problems/pendulum.mjs";
import sliderCrank from "./problems/slider_crank.mjs";
import { variants } from "./problems/programs.mjs";
import { printProblem } from "./report/tables.mjs";
import { printBars } from "./report/bars.mjs";
import { makePage } from "./report/page.mjs";
import { findContenders } from "./report/figures.mjs";

const problems = [pendulum, fourBars, andrews, fourBar, sliderCrank, chain, growth];

const words = process.argv.slice(2);
const folder = join(words.shift(), "bench");
const quick = words.includes("--quick");
const counts = !quick && !words.includes("--no-counts") && spawnSync("valgrind", ["--version"]).status === 0;
const names = words.filter((word) => !word.startsWith("--"));
const isWhole = problems.every((problem) => names.length === 0 || names.includes(problem.name));
for (const name of names) {
  if (problems.some((problem) => problem.name === name)) continue;
  console.error(`bench: there is no '${name}' (known: ${problems.map((problem) => problem.name).join(", ")})`);
  process.exit(2);
}

const kSeconds = Number(words.find((word) => word.startsWith("--seconds="))?.split("=")[1] ?? (quick ? 5 : 60)); // CPU, of one process
const kPatience = 20; // times as long by the clock, on a busy machine
const kFurtherPasses = quick ? 3 : 5;
const kPassesOfContenders = 8;
const kShort = 0.1; // s
const kMemory = 6e6; // KiB of address space
const missing = new Set();
const left = new Map(); // what a variant does not offer, told once

const listKeys = (keys) => Object.entries(keys).map(([key, value]) => `${key}=${value}`);

/** One process; its JSON line, or a status that says what became of it. */
function call(variant, mode, problem, keys, wrapper = []) {
  const path = join(folder, variant.program);
  const command = [...wrapper, path, mode, problem, ...listKeys({ ...variant.keys, ...keys })];
  const seconds = wrapper.length > 0 ? 2 * kSeconds : kSeconds;
  const limits = ["-c", `ulimit -v ${kMemory} -t ${seconds}; exec "$@"`, "bash", ...command];
  const done = spawnSync("bash", limits, { encoding: "utf8", timeout: kPatience * seconds * 1000, killSignal: "SIGKILL" });
  if (done.error?.code === "ETIMEDOUT" || done.signal === "SIGKILL" || done.signal === "SIGXCPU") return { status: `more than ${seconds} s` };
  if (done.signal !== null) return { status: "crashed", message: done.signal };
  try {
    return { ...JSON.parse(done.stdout), standardError: done.stderr };
  } catch {
    return { status: "crashed", message: (done.stderr || `exit code ${done.status}`).trim().split("\n").at(-1) };
  }
}

/** Whether a variant can run at all; what cannot is told once. */
function isThere(variant) {
  if (existsSync(join(folder, variant.program))) return true;
  if (!missing.has(variant.program)) console.error(`${variant.program} is not there and is left out`);
  missing.add(variant.program);
  return false;
}

function note(variant, problem, answer) {
  const key = `${variant.label}: ${answer.message}`;
  if (!left.has(key)) console.error(`  left out: ${variant.label}, ${problem.name}: ${String(answer.message).split("\n")[0]}`);
  left.set(key, true);
}

const describeSize = (size) => Object.entries(size).map(([key, value]) => (key === "n" ? `N = ${value}` : value)).join(", ");

function countInstructions(variant, problem, size) {
  const calls = 10;
  const tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=bench_counted"];
  const answer = call(variant, "evaluation", problem.name, { ...size, calls }, tool);
  const found = /Collected : (\d+)/.exec(answer.standardError ?? "");
  return found ? Number(found[1]) / calls : undefined;
}

/** One evaluation and one step, of all programs at all sizes. */
function measureEvaluations(problem, sizes) {
  const rows = [];
  const keys = quick ? { rounds: 3 } : {};
  const given = new Set(); // what took too long at a smaller size
  for (const size of sizes) {
    for (const name of problem.evaluations(size)) {
      const variant = variants[name];
      const kind = `${name} ${size.joint ?? size.shape}`;
      if (given.has(kind) || !isThere(variant)) continue;
      const answer = call(variant, "evaluation", problem.name, { ...size, ...keys });
      if (answer.status === "left out") {
        note(variant, problem, answer);
        continue;
      }
      const row = { name, ...variant, size, label: variant.label, ...answer };
      if (answer.status !== "ok") given.add(kind);
      else if (answer.seconds > 0.5) given.add(kind);
      if (answer.status === "ok" && counts && (problem.counted?.(size) ?? true)) {
        row.instructions = countInstructions(variant, problem, size);
      }
      if (answer.status === "ok" && problem.steps) row.step = call(variant, "step", problem.name, size).seconds;
      rows.push(row);
      process.stderr.write(`  ${describeSize(size)} ${variant.label}: ${row.seconds ? `${(1e6 * row.seconds).toPrecision(3)} us` : row.status}\n`);
    }
    repeatShort(rows.filter((row) => row.size === size), "seconds", (row) => call(row, "evaluation", problem.name, { ...size, ...keys }));
  }
  return rows;
}

/**
 * Once more through the same programs; the shorter time counts. A machine that others slow down for some seconds does so to one
 * program in the first pass and to another one in the second.
 */
function repeatShort(rows, time, again, passes = kFurtherPasses) {
  for (let pass = 0; pass < passes; ++pass) {
    for (const row of rows) {
      if (row.status !== "ok" || !(row[time] < kShort)) continue;
      row[time] = Math.min(row[time], again(row)[time] ?? Infinity);
    }
  }
}

/** Terms and steps of small equation models; of several passes the shortest, as everywhere. */
function measureSmall() {
  const pass = () => JSON.parse(spawnSync(join(folder, "expressions"), ["json"], { encoding: "utf8" }).stdout);
  const best = pass();
  for (let k = 0; k < kPassesOfContenders; ++k) {
    const again = pass();
    for (const list of ["terms", "steps"]) {
      best[list].forEach((row, i) => {
        for (const time of ["compiled", "written", "perCoordinate"]) if (time in row) row[time] = Math.min(row[time], again[list][i][time]);
      });
    }
  }
  return best;
}

function findReference(problem, size) {
  const answer = call(variants.reduced, "run", problem.name, { ...size, precision: "extended", rounds: 1, ...problem.reference });
  if (answer.status !== "ok") throw new Error(`no reference for ${problem.name}: ${answer.message ?? answer.status}`);
  return answer.end;
}

function findError(problem, end, reference) {
  const error = Math.hypot(...end.map((value, k) => (value === null ? NaN : value - reference[k])));
  return problem.relative ? error / Math.hypot(...reference) : error;
}

/** All runs of one size, cheap ones first. `given`: what took too long even with its first settings at a smaller size. */
function measureRuns(problem, size, given) {
  const rows = [];
  if (problem.runs(size).length === 0) return rows;
  const reference = findReference(problem, size);
  for (const { variant: name, settings } of problem.runs(size)) {
    const variant = variants[name];
    const kind = `${name} ${settings[0].method}`;
    if (given.has(kind) || !isThere(variant)) continue;
    for (const setting of settings) {
      const answer = call(variant, "run", problem.name, { ...size, ...setting, ...(quick ? { rounds: 2 } : {}) });
      if (answer.status === "left out") {
        note(variant, problem, answer);
        break;
      }
      const row = { name, ...variant, size, setting, ...answer };
      if (answer.end) row.error = findError(problem, answer.end, reference);
      rows.push(row);
      process.stderr.write(`  ${describeSize(size)} ${variant.label} ${listKeys(setting).join(" ")}: ${row.cpu ? `${(1e3 * row.cpu).toPrecision(3)} ms` : row.status}\n`);
      if (!answer.status.startsWith("more than")) continue;
      if (setting === settings[0]) given.add(kind);
      break; // what follows takes longer
    }
  }
  const again = (row) => call(row, "run", problem.name, { ...size, ...row.setting, rounds: 2 });
  repeatShort(rows, "cpu", again);
  repeatShort(findContenders(problem, rows), "cpu", again, kPassesOfContenders);
  return rows;
}

// What this machine is worth: us per body of the ladder's floor.
const floor = (1e6 * call(variants.ladder, "evaluation", "n_four_bar", { n: 40 }).seconds) / 81;
const results = [];
for (const problem of problems) {
  if (names.length > 0 && !names.includes(problem.name)) continue;
  console.error(`== ${problem.title}`);
  const sizes = quick ? (problem.quickSizes ?? problem.sizes) : problem.sizes;
  const evaluations = measureEvaluations(problem, sizes);
  const given = new Set();
  const runs = sizes.map((size) => ({ size, rows: measureRuns(problem, size, given) }));
  const result = { problem, evaluations, runs };
  results.push(result);
  printProblem(result);
}
const small = isWhole ? measureSmall() : undefined;
const bars = printBars(results, small, floor);

const version = readFileSync(new URL("../CMakeLists.txt", import.meta.url), "utf8").match(/VERSION (\d+\.\d+\.\d+)/)[1];
const date = new Date().toISOString().slice(0, 10);
const machine = cpus()[0]?.model ?? "unknown";
writeFileSync(join(folder, "index.html"), makePage({ results, bars, version, date, machine, quick }));
writeFileSync(join(folder, "results.json"), JSON.stringify({ version, date, machine, results, bars }, null, 1));
console.log(`\n${join(folder, "index.html")}`);

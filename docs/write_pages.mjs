// Writes the pages that follow from the program and its models: docs/reference/keys.md, docs/gallery.md,
// docs/validation.md and the tables of docs/methods.md. Called by ./dev docs and ./dev verify, with the program on the PATH.
//
// usage: node docs/write_pages.mjs [--check] [reference] [gallery] [figures] [methods] [tutorial] [validation]
//   reference   docs/reference/keys.md: every key, element, option, function and unit, as the program lists them
//   gallery     docs/gallery.md: text from the heads of the models; figures are kept as they stand, but for new models
//   figures     the same, with every model run and its pictures drawn, and those of docs/methods.md by converge (minutes)
//   methods     docs/methods.md: the tables below its commands
//   tutorial    the pictures of docs/tutorial.md
//   validation  docs/validation.md: the reference problems are run (minutes)
//   --check     write nothing; exit code 1 if a page is not up to date

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digitMethods, digitProblems, problems } from "./validation_problems.mjs";
import { elementOptions, pictures } from "./gallery_pictures.mjs";

const docs = dirname(fileURLToPath(import.meta.url));
const models = join(docs, "..", "models");
const scratch = mkdtempSync(join(tmpdir(), "driftless-"));
const words = process.argv.slice(2);
const check = words.includes("--check");

/** The program's answer; its words on standard error are not shown. */
function driftless(...words) {
  return execFileSync("driftless", words, { cwd: scratch, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
}

const escapeCell = (text) => text.replace(/\|/g, "\\|").replace(/</g, "&lt;");

// ---- the reference of keys --------------------------------------------------------------------------------------

/** "  name   what it is" -> [name, what it is]; what is set in as deep as the text goes on. */
function readRows(text) {
  const rows = [];
  for (const line of text.split("\n")) {
    const row = /^( {2,}(\S+) {2,})(\S.*)$/.exec(line);
    const depth = /^ */.exec(line)[0].length;
    if (row && !(rows.length > 0 && depth === rows.at(-1).depth)) rows.push(Object.assign([row[2], row[3]], { depth: row[1].length }));
    else if (rows.length > 0 && depth === rows.at(-1).depth) rows.at(-1)[1] += ` ${line.trim()}`;
  }
  return rows;
}

function table(rows, titles) {
  const head = `| ${titles.join(" | ")} |\n|${titles.map(() => "---|").join("")}\n`;
  return head + rows.map(([name, text]) => `| \`${name}\` | ${escapeCell(text)} |\n`).join("");
}

/** What explain says of a type: [words, keys]. */
function readType(name, kind) {
  const lines = driftless("explain", name).split("\n");
  const begin = lines.findIndex((line) => line.startsWith(`${name} (${kind}`));
  const keys = [];
  let coordinates = "";
  for (const line of lines.slice(begin + 2)) {
    const found = /^ {4}(\w[\w, ]*?)(, (?:in|a|an|names|the|one|rows|"|true)[^:]*)?: (.*)$/.exec(line);
    if (!line.startsWith("    ") || line.startsWith("    example")) break;
    if (found?.[1].startsWith("coordinates")) coordinates = `; coordinates and their rates: ${found[3]}`;
    else if (found) keys.push([found[1].replace(/, /g, "`, `"), `${found[2] ? found[2].slice(2) + ": " : ""}${found[3]}`]);
  }
  return [lines[begin + 1].trim() + coordinates, keys];
}

function writeReference() {
  let page = `# Every key, element, option and word

This page is written by \`./dev docs\` from what the program knows; \`driftless list KIND\` and \`driftless explain WORD\` tell the
same. [The model file](model-file.md) explains how a model is written.

## Sections and keys

${table(readRows(driftless("list", "keys")), ["key", ""])}`;
  const places = new Set(["between", "at", "axis`, `x", "on`, `to", "body`, `at", "on"]);
  for (const kind of ["joint", "constraint", "force", "measure"]) {
    page += `\n## Types of ${kind}s\n`;
    for (const [name] of readRows(driftless("list", `${kind}s`))) {
      const [words, keys] = readType(name, kind);
      const own = keys.filter(([key]) => !places.has(key));
      page += `\n### \`${name}\` (${kind})\n\n${escapeCell(words)}.\n`;
      if (own.length > 0) page += `\n${table(own, ["key", ""])}`;
    }
  }
  page += `\nEvery joint, and every constraint and force between two bodies, has the keys \`between\`, \`at\`, \`axis\`, \`x\`, or \`on\` and
\`to\`: [elements](model-file.md#elements).
`;
  const kinds = [["formulations", "Formulations"], ["integrators", "Integrators"], ["drift", "Drift controls"], ["presets", "Presets"],
    ["options", "Options of `[method]`"], ["values", "Words as values"], ["names", "Names in expressions"], ["functions", "Functions"],
    ["units", "Units"], ["figures", "Figures of a report"], ["templates", "Templates of `driftless new`"]];
  for (const [kind, title] of kinds) page += `\n## ${title}\n\n${table(readRows(driftless("list", kind)), ["word", ""])}`;
  return page;
}

// ---- the gallery ------------------------------------------------------------------------------------------------

/** The comment at a model's top by its parts: { title, teaches, expect, source }. What is set in is a formula or a table. */
function readHead(text) {
  const lines = text.split("\n");
  const names = { "What it teaches": "teaches", "What to expect": "expect", Source: "source" };
  const parts = { title: [] };
  let part = "title";
  for (const line of lines.slice(0, lines.findIndex((each) => !each.startsWith("#"))).map((each) => each.replace(/^# ?/, ""))) {
    const begin = /^(What it teaches|What to expect|Source)[:,] (.*)$/.exec(line);
    if (begin) parts[part = names[begin[1]]] = [];
    const rest = begin ? begin[2] : line;
    const list = parts[part];
    const set = rest.startsWith("  ");
    if (rest.trim() === "") list.push(null);
    else if (list.length > 0 && list.at(-1)?.set === set) list.at(-1).lines.push(rest);
    else list.push({ set, lines: [rest] });
  }
  const write = ({ set, lines: own }) => (set ? own.map((line) => `    ${line.trim()}`).join("\n") : wrap(escapeCell(own.join(" "))));
  // A word begins with a capital; a name, as x_s or pin.position, is what it is.
  const upper = (words) => (/^[a-z]{2,}[-\s,]/.test(words) || /^a\s/.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words);
  return Object.fromEntries(Object.entries(parts).map(([key, list]) => [key, upper(list.filter(Boolean).map(write).join("\n\n"))]));
}

function wrap(text, width = 120) {
  const lines = [""];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (lines.at(-1).length + word.length + 1 > width) lines.push("");
    lines[lines.length - 1] += (lines.at(-1) ? " " : "") + word;
  }
  return lines.join("\n").replace(/^(\d+)\. /gm, "$1\\. ");
}

const listModels = (folder) => readdirSync(join(models, folder)).filter((name) => name.endsWith(".toml")).sort()
  .map((name) => join(folder, name.slice(0, -5)));

/** Above a measured figure, the next power of ten: it does not change with the compiler. */
const bound = (value) => (value === 0 ? "0" : `1e${Math.ceil(Math.log10(value))}`);

/** Runs a model and draws its picture; returns its line of figures. */
function runModel(name) {
  const file = join(models, `${name}.toml`);
  const out = join(scratch, "run.h5");
  const picture = check ? undefined : pictures[name];
  const report = JSON.parse(driftless("run", file, "--json", "--out", out));
  const own = (picture?.run ?? []).length > 0;
  if (own) driftless("run", file, ...picture.run, "--out", join(scratch, "own.h5"), "--quiet");
  if (picture) driftless(...picture.draw(own ? join(scratch, "own.h5") : out), "-o", join(docs, "images", `${basename(name)}.svg`));
  const dof = `${report.dof} degree${report.dof === 1 ? "" : "s"} of freedom`;
  const rank = report.rows > 0 ? `, ${report.rows} row${report.rows === 1 ? "" : "s"} of rank ${report.rank}` : "";
  const joints = report.rows > 0 ? `, joints closed to ${bound(report.max_phi)}` : "";
  return `${report.t_end} s in ${report.steps} steps: ${dof}${rank}${joints}, energy error below ${bound(report.max_energy_error)} J.`;
}

function writeEntry(name, figures) {
  const text = readFileSync(join(models, `${name}.toml`), "utf8");
  if (driftless("examples", name) !== text) throw new Error(`the program carries another ${name}: ./dev build`);
  const head = readHead(text);
  const stem = basename(name);
  const picture = pictures[name] ? `![${stem}](images/${stem}.svg)\n\n` : "";
  const source = head.source ? `\n\nSource: ${head.source}` : "";
  return `### ${stem}

${head.title}

${picture}${head.teaches}

**What to see.** ${head.expect}${source}

**Measured**: ${figures}

    driftless examples ${name} -o ${stem}.toml
    driftless run ${stem}.toml

[The model](../models/${name}.toml)
`;
}

function writeGallery(run) {
  const file = join(docs, "gallery.md");
  const old = existsSync(file) ? readFileSync(file, "utf8") : "";
  const figuresOf = (name) => {
    if (run) return runModel(name);
    const at = old.indexOf(`\n### ${basename(name)}\n`);
    return at < 0 ? runModel(name) : /\*\*Measured\*\*: (.*)/.exec(old.slice(at))?.[1] ?? "not yet";
  };
  const groups = [["machines", "Machines", "Whole machines, drawn by their bodies and joints."],
    ["", "Models of the literature, and first steps", "Mechanisms, and systems written as equations."]];
  let page = `# Gallery

Every model that the program carries with it: a picture, what it teaches, what to see and which numbers to expect. "Measured"
is what the model's own method reaches; of drift the next power of ten is told. This page and its pictures are written by
\`./dev docs\` from the models.

\`driftless examples\` lists all of them; each is copied and run by two commands.
`;
  for (const [folder, title, words] of groups) {
    page += `\n## ${title}\n\n${words}\n`;
    for (const name of listModels(folder)) page += `\n${writeEntry(name, figuresOf(name))}`;
  }
  page += `\n## Mechanisms of any size

\`driftless new n-four-bar --n 40 -o forty.toml\` writes forty windows of a linkage, 81 bodies; \`driftless new chain --n 100 --joint
spherical -o chain100.toml\` a chain in space.

![Forty windows on the report page](images/page_forty_windows.png)
`;
  page += `\n## One for every element\n\nSmall models, one for each joint, constraint, force and measure; [the table of elements](reference/elements.md) says what
each element is. The numbers in their heads follow from closed forms and are checked.\n
| model | | what to see |
|---|---|---|
`;
  for (const name of listModels("elements")) {
    if (run && !check) drawElement(name);
    const text = readFileSync(join(models, `${name}.toml`), "utf8");
    const description = /^description = "(.*)"$/m.exec(text)[1];
    const picture = `<img alt="${basename(name)}" src="images/${name}.svg" width="240">`;
    page += `| ${picture} | [${basename(name)}](../models/${name}.toml): ${escapeCell(description)} | ${readHead(text).expect.replace(/\s+/g, " ")} |\n`;
  }
  return page;
}

/** The beginning of its motion, as a picture that moves. */
function drawElement(name) {
  const out = join(scratch, "element.h5");
  const { t_end } = JSON.parse(driftless("run", join(models, `${name}.toml`), "--json", "--out", out));
  mkdirSync(join(docs, "images", "elements"), { recursive: true });
  const options = elementOptions[basename(name)] ?? ["--seconds", String(Math.min(3, t_end))];
  driftless("animate", out, ...options, "-o", join(docs, "images", `${name}.svg`));
}

// ---- measured tables of the method guide ------------------------------------------------------------------------

/** What compare prints as a table of a page, without times. Drift is told by its power of ten: it does not change with the
    compiler. */
function measure(command) {
  const answer = JSON.parse(driftless(...splitWords(command).slice(1), "--json"));
  const rows = answer.methods ?? answer.runs ?? answer.rows;
  const figure = (value) => (value === null || value === undefined ? "" : value === 0 ? "0" : bound(value));
  const hasError = rows.some((row) => row.error !== undefined && row.error !== null);
  let text = `| method | ended | steps | evaluations | max \\|Phi\\| | energy error, J |${hasError ? " error |" : ""}\n|---|---|---|---|---|---|${hasError ? "---|" : ""}\n`;
  for (const row of rows) {
    const failed = row.status !== "ok";
    text += `| \`${row.method}\` | ${failed ? `failed at ${row.t_end.toPrecision(2)} s` : "ok"} | ${row.steps} | ${row.evaluations} | ` +
      `${failed ? "" : figure(row.max_phi)} | ${failed ? "" : figure(row.max_energy_error)} |` + (hasError ? ` ${failed ? "" : row.error.toPrecision(1)} |` : "") + "\n";
  }
  return text;
}

/** What converge finds, in short: the first, the middle and the last run of each method, without times. */
function measureWork(command) {
  const { methods } = JSON.parse(driftless(...splitWords(command).slice(1), "--json"));
  const chosen = (runs) => [runs[0], runs[(runs.length - 1) / 2], runs.at(-1)];
  const titles = chosen(methods[0].runs).map((run) => `error, evaluations at ${run.tolerance.toExponential()}`);
  let text = `| method | slope | ${titles.join(" | ")} |\n|---|---|---|---|---|\n`;
  for (const { name, order, runs } of methods) {
    const cells = chosen(runs).map((run) => (run.status === "ok" ? `${run.error_q.toExponential(0)}, ${run.evaluations}` : "failed"));
    text += `| \`${name}\` | ${order.error_q === null ? "none" : order.error_q.toFixed(1)} | ${cells.join(" | ")} |\n`;
  }
  return text;
}

const workPattern = /(```sh\n(driftless converge [^\n]*) --plot (\w+)\.svg\n```\n\n<!-- measured -->\n)[\s\S]*?(<!-- end -->)/g;
const atHome = (command) => command.replace(/ models\//, ` ${models}/`);

/** By the file that the page's command draws: where it stands, and its title. */
const workPictures = {
  work: ["images/planar_four_bar_work.svg", "Planar four-bar of Park, Yoo and Hwang: work and precision"],
  squeezer: ["images/squeezer_work.svg", "Andrews' squeezer: work and precision"],
};

function drawWork() {
  for (const [, , command, name] of readFileSync(join(docs, "methods.md"), "utf8").matchAll(workPattern)) {
    const [out, title] = workPictures[name];
    driftless(...splitWords(atHome(command)).slice(1), "--title", title, "--plot", join(docs, out));
    console.log(`docs/${out}`);
  }
}

const splitWords = (line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2]);

function writeMethods() {
  const page = readFileSync(join(docs, "methods.md"), "utf8");
  const pattern = /(```sh\n(driftless compare [^\n]*)\n```\n\n<!-- measured -->\n)[\s\S]*?(<!-- end -->)/g;
  return page.replace(pattern, (_, head, command, end) => head + measure(atHome(command)) + end)
    .replace(workPattern, (_, head, command, _name, end) => head + measureWork(atHome(command)) + end);
}

// ---- pictures of the tutorial -----------------------------------------------------------------------------------

/** Its whole models, by name, are run and drawn. */
function drawTutorial() {
  const page = readFileSync(join(docs, "tutorial.md"), "utf8");
  const trails = { linkage: ["--trail", "C"] };
  for (const [, text] of page.matchAll(/```toml\n([\s\S]*?)```/g)) {
    const name = /^name = "(\w+)"$/m.exec(text)?.[1];
    if (!name) continue;
    writeFileSync(join(scratch, `${name}.toml`), text);
    driftless("run", `${name}.toml`, "--quiet", "--out", `${name}.h5`);
    driftless("animate", `${name}.h5`, "--seconds", "3", ...(trails[name] ?? []), "-o", `${name}.svg`);
    put(`images/tutorial_${name}.svg`, readFileSync(join(scratch, `${name}.svg`), "utf8"));
  }
}

// ---- validation -------------------------------------------------------------------------------------------------

/** The last row of a run by its columns' names. */
function lastRow(csv) {
  const lines = csv.trim().split("\n").filter((line) => !line.startsWith("#"));
  const names = lines[0].split(",").map((name) => name.replace(/^"|"$/g, ""));
  const values = lines.at(-1).split(",").map(Number);
  return Object.fromEntries(names.map((name, k) => [name, values[k]]));
}

function writeValidation() {
  const overview = [];
  let page = "";
  const head = `# Validation

Problems with a known answer, what Driftless finds and how many digits agree. The page is written by \`./dev verify\`, after the
full proofs, or by \`./dev docs validation\` alone. Digits are -log10 of the error relative to the value, or to 1 where the
value is smaller; 16 is round-off.

| problem | digits |
|---|---|
`;
  for (const problem of problems) {
    let fewest = 16;
    const file = join(scratch, "v.csv");
    const model = problem.model ? join(models, `${problem.model}.toml`) : join(scratch, "new.toml");
    if (problem.make) writeFileSync(model, driftless(...problem.make));
    const words = ["run", model, ...problem.options];
    const report = JSON.parse(driftless(...words, "--json", "--out", file));
    const row = lastRow(readFileSync(file, "utf8"));
    const shown = problem.make
      ? `driftless ${problem.make.join(" ")} -o new.toml\ndriftless run new.toml ${problem.options.join(" ")} --out run.csv`
      : `driftless run models/${[`${problem.model}.toml`, ...problem.options].join(" ")} --out run.csv`;
    page += `\n## ${problem.title}\n\n${problem.words}\n\n| quantity | reference | found | digits |\n|---|---|---|---|\n`;
    for (const [name, exact] of problem.values) {
      const error = Math.abs(row[name] - Number(exact)) / Math.max(1, Math.abs(Number(exact)));
      const digits = error === 0 ? 16 : Math.min(16, -Math.log10(error));
      fewest = Math.min(fewest, digits);
      if (!(digits > 3)) throw new Error(`${problem.title}: ${name} = ${row[name]} instead of ${exact}`);
      page += `| \`${name}\` at ${report.t_end} s | ${exact} | ${row[name].toPrecision(13)} | ${digits.toFixed(1)} |\n`;
    }
    overview.push(`| ${problem.title} | ${fewest.toFixed(1)} |\n`);
    page += `\nJoints closed to ${bound(report.max_phi)}, energy error below ${bound(report.max_energy_error)} J, ${report.steps} steps.\n\n    ${shown.replace(/\n/g, "\n    ")}\n`;
  }
  return head + overview.join("") + page + writeDigits();
}

/** -log10 of the largest error of a run at its end; undefined: the method does not take these rotations. */
function findDigits(problem, method, control) {
  const file = join(scratch, "d.csv");
  const rotations = problem.rotations ? ["--set", `method.rotations="${problem.rotations}"`] : [];
  try {
    driftless("run", join(models, `${problem.model}.toml`), "--method", method, ...control, "--until", problem.until,
      "--every", problem.until, ...rotations, "--quiet", "--out", file);
  } catch (error) {
    if (error.status === 2 && problem.rotations) return undefined;
    throw error;
  }
  const row = lastRow(readFileSync(file, "utf8"));
  const errors = problem.values.map(([name, exact]) => Math.abs(row[name] - Number(exact)) / Math.max(1, Math.abs(Number(exact))));
  return -Math.log10(Math.max(1e-16, ...errors));
}

function writeDigits() {
  const titles = digitProblems.map((problem) => problem.title).join(" | ");
  const table = (methods, controls) => `| method | ${titles} |\n|---|${digitProblems.map(() => "---|").join("")}\n` +
    methods.map((method) => `| \`${method}\` | ${digitProblems.map((problem) => {
      const digits = controls(problem).map((control) => findDigits(problem, method, control));
      if (digits.includes(undefined)) return "";
      if (!(digits.at(-1) > digits[0] + 0.3)) throw new Error(`${problem.title}: ${method} does not get better: ${digits}`);
      return digits.map((each) => each.toFixed(1)).join(", ");
    }).join(" | ")} |\n`).join("");
  const shown = digitMethods.tolerances.join(", ");
  return `
## Digits by method and tolerance

How many digits of the positions are right at tolerances of ${shown}, at ${[...new Set(digitProblems.map((each) => each.until))].join(", ")} s of
the problems above. A method that does not take Euler angles has nothing there.

${table(digitMethods.adaptive, () => digitMethods.tolerances.map((tolerance) => ["--tolerance", tolerance]))}
The same with fixed steps, of ${digitProblems.map((each) => each.step).filter((step, k, all) => all.indexOf(step) === k).join(", ")} s, half of them and a quarter:

${table(digitMethods.fixed, (problem) => [1, 2, 4].map((part) => ["--step", String(problem.step / part)]))}`;
}

// -----------------------------------------------------------------------------------------------------------------

const parts = words.filter((word) => word !== "--check");
let stale = 0;
function put(file, text) {
  const path = join(docs, file);
  const old = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (!check) {
    writeFileSync(path, text);
    console.log(`docs/${file}`);
  } else if (old !== text) {
    const at = text.split("\n").findIndex((line, k) => line !== old.split("\n")[k]);
    console.log(`docs/${file} is not up to date, line ${at + 1}: ./dev docs\n  is:     ${old.split("\n")[at]}\n  should: ${text.split("\n")[at]}`);
    ++stale;
  } else {
    console.log(`docs/${file} is up to date`);
  }
}

try {
  for (const part of parts.length > 0 ? parts : ["reference", "gallery"]) {
    if (part === "reference") put("reference/keys.md", writeReference());
    else if (part === "gallery" || part === "figures") {
      put("gallery.md", writeGallery(part === "figures"));
      if (part === "figures" && !check) drawWork();
    }
    else if (part === "methods") put("methods.md", writeMethods());
    else if (part === "tutorial") drawTutorial();
    else if (part === "validation") put("validation.md", writeValidation());
    else throw new Error(`unknown part '${part}': reference, gallery, figures, methods, tutorial, screens, validation`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(stale > 0 ? 1 : 0);

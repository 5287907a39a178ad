// The report in words and numbers: what was run, what the system is, drift, cost, reactions, warnings.

import { endOf, type Report, type Run } from "./data";
import { breakable, format, LONG, make } from "./dom";
import type { State } from "./state";

type Row = [string, (run: Run) => Node | string | null, boolean?];

/** A table that may be wider or longer than its card: then it scrolls, by the keyboard too, and says so. On a phone its
    rows are stacked. */
function scroller(content: HTMLElement): HTMLElement {
  const frame = make("div", { class: "scroll" }, content);
  const hint = make("p", { class: "hint soft small", hidden: "" }, "More to the side →");
  const below = make("p", { class: "hint soft small", hidden: "" }, "More below ↓");
  const show = () => {
    hint.hidden = frame.scrollLeft + frame.clientWidth >= frame.scrollWidth - 2;
    const isLong = frame.scrollHeight > frame.clientHeight + 2;
    below.hidden = !isLong;
    below.style.visibility = frame.scrollTop + frame.clientHeight >= frame.scrollHeight - 2 ? "hidden" : "";  // its place stays
    frame.tabIndex = isLong || frame.scrollWidth > frame.clientWidth + 2 ? 0 : -1;
  };
  const watch = new ResizeObserver(show);
  watch.observe(frame);
  watch.observe(content);
  frame.addEventListener("scroll", show, { passive: true });
  return make("div", {}, hint, frame, below);
}

/** A cell that repeats the head of its column, for a phone. */
function cell(head: string, content: Node | string, number = false): HTMLElement {
  return make("td", number ? { class: "number" } : {}, make("span", { class: "of" }, ...breakable(head)),
    make("span", {}, ...(typeof content === "string" ? breakable(content) : [content])));
}

const rowHead = (text: string) => make("th", text.length > LONG ? { scope: "row", class: "long" } : { scope: "row" }, ...breakable(text));

/** Null: no run has anything to tell there. */
function table(runs: Run[], rows: Row[]): HTMLElement | null {
  const several = runs.length > 1;
  const body = make("tbody");
  for (const [label, find, number] of rows) {
    const cells = runs.map(find);
    if (cells.every((each) => each === null || each === "")) continue;
    const row = make("tr", {}, rowHead(label));
    cells.forEach((each, k) => row.append(cell(several ? runs[k].label : "", each || "–", number)));
    body.append(row);
  }
  if (body.childElementCount === 0) return null;
  const kind = rows.some((row) => row[2]) ? { class: "number" } : undefined;
  const head = several
    ? make("thead", {}, make("tr", {}, make("th"), ...runs.map((run) => make("th", kind, ...breakable(run.label)))))
    : null;
  return scroller(make("table", several ? { class: "stack" } : {}, head, body));
}

const ofReport = (find: (report: Report) => string) => (run: Run) => (run.report ? find(run.report) : null);
const section = (title: string, ...content: (Node | string | null)[]) =>
  make("section", { class: "card" }, make("h2", {}, title), ...content);
const tableSection = (title: string, content: HTMLElement | null, ...more: Node[]) => (content ? section(title, content, ...more) : null);

function list(items: string[], none: string): Node | string {
  if (items.length === 0) return none;
  if (items.length <= 12) return items.join(", ");
  return make("details", {}, make("summary", {}, `${items.length} names`), items.join(", "));
}

function whatWasRun(runs: Run[]): HTMLElement | null {
  return tableSection("What was run", table(runs, [
    ["Model", (run) => run.json.info.model + (run.json.info.file ? ` (${run.json.info.file})` : "")],
    ["Method", (run) => run.json.info.method],
    ["Options", (run) => run.json.info.options],
    ["Set beside the file", (run) => run.json.info.settings || null],
    ["Parameters", (run) => run.json.info.parameters.map((each) => `${each.name} = ${format(each.value, 6)}`).join(", ")],
    ["Status", (run) => run.report
      ? run.report.status + (run.report.message ? ": " + run.report.message : "")
      : endOf(run) ? "the run did not end: there is no report" : "a table without a report"],
    ["Worst", ofReport((report) => report.worst)],
    ["Remedy", ofReport((report) => report.remedy)],
    ["Version", (run) => (run.json.info.version ? "driftless " + run.json.info.version : null)],
    ["SHA-256", (run) => (run.json.info.sha256 ? make("code", {}, run.json.info.sha256) : null)],
  ]));
}

function theSystem(runs: Run[]): HTMLElement | null {
  return tableSection("The system", table(runs, [
    ["Degrees of freedom", ofReport((report) => String(report.dof))],
    ["Constraints", ofReport((report) => String(report.rows))],
    ["Rank at the start", ofReport((report) => String(report.rank))],
    ["Lowest rank on the way", ofReport((report) => String(report.min_rank))],
    ["Redundant rows", (run) => (run.report ? list(run.report.redundant, "none") : null)],
    ["Not unique", (run) => (run.report && run.report.not_unique.length > 0 ? list(run.report.not_unique, "") : null)],
    ["Bodies", (run) => (run.scene ? String(run.scene.bodies.length) : null)],
    ["Joints", (run) => (run.scene ? String(run.scene.elements.filter((each) => each.kind === "joint").length) : null)],
  ]));
}

function drift(runs: Run[]): HTMLElement | null {
  const names = [...new Set(runs.flatMap((run) => (run.report?.figures ?? []).filter((each) => each.value).map((each) => each.name)))];
  return tableSection("Drift", table(runs, [
    ["max |Φ|", ofReport((report) => (report.rows > 0 ? format(report.max_phi, 3) : "no constraints")), true],
    ["max |Φ′|", ofReport((report) => (report.rows > 0 ? format(report.max_phi_dot, 3) : "")), true],
    ["max |E − E₀ − work| [J]", ofReport((report) => format(report.max_energy_error, 3)), true],
    ...names.map((name): Row => [name.replace(/_/g, " ") + (name === "energy_put_back" ? " [J]" : ""),
      ofReport((report) => format(report.figures.find((each) => each.name === name)?.value, 3)), true]),
  ]), make("p", { class: "soft small" }, "Over all accepted steps and all samples."));
}

const PARTS: Record<string, string> = {
  model: "compiling the model", start: "closing the start", steps: "integration", corrections: "drift control",
  samples: "figures and samples", output: "writing rows",
};

function cost(runs: Run[]): HTMLElement | null {
  const parts = [...new Set(runs.flatMap((run) => (run.report?.seconds ?? []).map((each) => each.name)))];
  return tableSection("Cost", table(runs, [
    ["Simulated time [s]", ofReport((report) => format(report.t_end, 6)), true],
    ["Steps", ofReport((report) => String(report.steps)), true],
    ["Rejected steps", ofReport((report) => String(report.rejected)), true],
    ["Evaluations", ofReport((report) => String(report.evaluations)), true],
    ["Factorisations", ofReport((report) => String(report.factorisations)), true],
    ["CPU time of the steps [s]", ofReport((report) => format(report.cpu_seconds, 3)), true],
    ["Samples", (run) => String(run.json.samples), true],
    ...parts.map((name): Row => [`Time: ${PARTS[name] ?? name} [s]`,
      ofReport((report) => format(report.seconds.find((each) => each.name === name)?.value, 3)), true]),
  ]));
}

/** Largest sizes of each joint's reactions; null: the result has none. */
function reactions(run: Run, several: boolean): HTMLElement | null {
  const owners: string[] = [];
  const applied = new Set((run.scene?.elements ?? []).filter((each) => each.kind === "force").map((each) => each.name));
  for (const column of run.columns) {
    const match = /^(.+)\.(force|torque)\.[xyz]$/.exec(column.name);
    if (match && !applied.has(match[1]) && !owners.includes(match[1])) owners.push(match[1]);
  }
  if (owners.length === 0) return null;
  const parts = ["force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"]
    .filter((part) => owners.some((owner) => run.find(`${owner}.${part}`) > 0));
  const headOf = (part: string) => `${part} [${part.startsWith("f") ? "N" : "N·m"}]`;
  const fill = () => {
    const body = make("tbody");
    // What is nothing but round-off of the largest force, or torque, is none; so is a torque whose arm at the largest
    // force would be shorter than 1e-14 m.
    const whole = { f: 0, t: 0 };
    for (const owner of owners) for (const part of parts) {
      const kind = part[0] as "f" | "t";
      whole[kind] = Math.max(whole[kind], largest(run.named(`${owner}.${part}`) ?? []));
    }
    const show = (part: string, size: number) =>
      format(size > Math.max(1e-12 * whole[part[0] as "f" | "t"], 1e-14 * whole.f) ? size : 0, 4);
    for (const owner of owners) {
      const row = make("tr", {}, rowHead(owner));
      for (const part of parts) {
        const values = run.named(`${owner}.${part}`);
        row.append(cell(headOf(part), values ? show(part, largest(values)) : "–", true));
      }
      row.append(cell("Unique", uniqueness(run, owner)));
      body.append(row);
    }
    const head = parts.map((part) => make("th", { class: "number" }, headOf(part)));
    return scroller(make("table", { class: "stack grid" },
      make("thead", {}, make("tr", {}, make("th", {}, "Joint"), ...head, make("th", {}, "Unique"))), body));
  };
  const note = make("p", { class: "soft small" }, "Largest sizes over the run, along the world's axes, at each joint's point. ",
    run.report && run.report.rank < run.report.rows
      ? "Of reactions that are not unique, those of least norm are given." : null);
  const part = section(several ? `Reactions of the run ${run.label}` : "Reactions", note);
  if (owners.length <= 24) { part.append(fill()); return part; }
  const details = make("details", {}, make("summary", {}, `${owners.length} joints`));
  details.addEventListener("toggle", () => { if (details.childElementCount === 1) details.append(fill()); });
  part.append(details);
  return part;
}

function largest(values: ArrayLike<number>): number {
  let size = 0;
  for (let k = 0; k < values.length; ++k) if (Math.abs(values[k]) > size) size = Math.abs(values[k]);
  return size;
}

function uniqueness(run: Run, owner: string): Node {
  const { report } = run;
  if (!report) return make("span", { class: "soft" }, "–");
  if (report.rank === report.rows) {
    return make("span", { class: "yes" }, report.min_rank === report.rank ? "✓ yes" : "✓ but for singular poses");
  }
  const parts = report.not_unique.filter((name) => name === owner || name.startsWith(owner + "."))
    .map((name) => name.slice(owner.length + 1));
  if (parts.length === 0) return make("span", { class: "yes" }, "✓ yes");
  return make("span", { class: "no" }, parts.filter(Boolean).length > 0 ? "✗ not " + parts.join(", ") : "✗ no");
}

function warnings(runs: Run[]): HTMLElement | null {
  const items = runs.flatMap((run) => (run.report?.warnings ?? []).map((text) => (runs.length > 1 ? `${run.label}: ${text}` : text)));
  if (items.length === 0) return null;
  const part = section("Warnings", make("ul", {}, ...items.map((text) => make("li", {}, ...breakable(text)))));
  part.id = "warnings";
  return part;
}

function modelText(run: Run, several: boolean): HTMLElement | null {
  if (!run.json.info.text) return null;
  const part = make("section", { class: "card" },
    make("details", {}, make("summary", {}, several ? `Model file of the run ${run.label}` : "Model file"), make("pre", { tabindex: "0" }, run.json.info.text)));
  return part;
}

/** Of several runs one is chosen, here or by the legend. */
function makeRunChoice(state: State): HTMLElement {
  const choice = make("select", { "aria-label": "Run whose reactions and model are shown" },
    ...state.runs.map((run, k) => make("option", { value: String(k) }, run.label)));
  choice.value = String(state.runs.indexOf(state.run));
  choice.addEventListener("change", () => state.chooseRun(state.runs[Number(choice.value)]));
  state.on("run", () => { choice.value = String(state.runs.indexOf(state.run)); });
  return make("p", { class: "choice" }, make("label", {}, "Reactions and model of the run ", choice));
}

export function makeReport(state: State): HTMLElement {
  const { runs } = state;
  const several = runs.length > 1;
  const cards = make("div", { class: several ? "cards many" : "cards" }, warnings(runs), whatWasRun(runs), theSystem(runs), drift(runs), cost(runs));
  const node = make("div", { class: "report" }, cards);
  if (several) node.append(makeRunChoice(state));
  let own: HTMLElement[] = [];
  const show = () => {
    for (const each of own) each.remove();
    own = [reactions(state.run, several), modelText(state.run, several)].filter((each): each is HTMLElement => each !== null);
    node.append(...own);
  };
  state.on("run", show);
  show();
  return node;
}

// The report page of Driftless: animation, plots and report of one or several runs.

import { describeThinning, endOf, readRuns, reasonOf, type Run } from "./data";
import { defaultPanels } from "./default_panels";
import { breakable, button, format, make } from "./dom";
import { Loads } from "./loads";
import { isMoment, makeMoment } from "./moment";
import { PanelGroup } from "./plots";
import { makeReport } from "./report";
import { Stage } from "./stage";
import { State } from "./state";
import { listenToKeys, makeArrowScale, makeTransport } from "./transport";
import { makeTree } from "./tree";

function setTheme(theme: string) { document.documentElement.dataset.theme = theme; }

function followSystemTheme(state: State) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = false;
  const show = () => { if (!chosen) { setTheme(dark.matches ? "dark" : "light"); state.tell("theme"); } };
  dark.addEventListener("change", show);
  show();
  return button("◐", "Dark or light", () => {
    chosen = true;
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    state.tell("theme");
  });
}

function fact(label: string, value: string, kind = ""): HTMLElement {
  return make("div", { class: ("fact " + kind).trim() }, label, make("b", {}, value));
}

/** How the runs ended, and whether there are warnings: then it leads to them. Null: these are tables without reports. */
function makeStatus(runs: Run[]): HTMLElement | null {
  const ends = runs.map(endOf).filter((end) => end !== "");
  if (ends.length === 0) return null;
  const bad = ends.filter((end) => end !== "ok");
  const count = runs.reduce((sum, run) => sum + (run.report?.warnings.length ?? 0), 0);
  const text = bad.length === 0 ? "ok" : runs.length > 1 ? `${bad.length} of ${runs.length} not ok` : bad[0];
  const kind = bad.length > 0 ? bad[0].replace(/ /g, "_") : count > 0 ? "warned" : "ok";
  if (count === 0) return fact("status", text, kind);
  const node = make("a", { class: `fact ${kind}`, href: "#warnings", title: "Show the warnings" }, "status",
    make("b", {}, `${text}, ${count} warning${count > 1 ? "s" : ""}`));
  node.addEventListener("click", (event) => {
    event.preventDefault();  // inside a frame the address is another page's
    document.getElementById("warnings")?.scrollIntoView({ block: "center" });
  });
  return node;
}

/** Of several runs the report tells it. */
function makeReason(runs: Run[]): HTMLElement | null {
  const text = runs.length === 1 ? reasonOf(runs[0]) : "";
  return text ? make("p", { class: "reason small" }, ...breakable(text)) : null;
}

function makeHeader(runs: Run[], theme: HTMLElement): HTMLElement {
  const { info } = runs[0].json;
  const report = runs[0].report;
  const facts = make("div", { class: "facts" });
  const status = makeStatus(runs);
  if (status) facts.append(status);
  if (report) {
    facts.append(fact("degrees of freedom", String(report.dof)));
    facts.append(fact("rank", `${report.rank} of ${report.rows}`));
    if (runs.length === 1) {
      if (report.rows > 0) facts.append(fact("max |Φ|", format(report.max_phi, 2)));
      facts.append(fact("energy error", format(report.max_energy_error, 2) + " J"));
      facts.append(fact("simulated", format(report.t_end, 6) + " s"));
    }
  }
  const method = runs.length > 1 ? `${runs.length} runs: ${runs.map((run) => run.label).join(", ")}` : info.method;
  return make("header", {},
    make("div", { class: "what" }, make("h1", {}, info.model || runs[0].label || "Result"),
      info.description ? make("p", { class: "description" }, info.description) : null, make("p", { class: "soft small" }, method), makeReason(runs)),
    facts, theme);
}

/** What of long runs the page does not show. */
function describeParts(runs: Run[]): string {
  const parts = [describeThinning(runs)];
  for (const run of runs) {
    const every = run.json.rows_per_frame ?? 1;
    if (every > 1) parts.push(`${runs.length > 1 ? `${run.label}: ` : ""}${parts[0] || runs.length > 1 ? "the" : "The"} animation shows one of every ${every} samples`);
  }
  const text = parts.filter(Boolean).join("; ");
  return text ? text + ". The result file holds all. " : "";
}

function makeStage(state: State): { node: HTMLElement; stage: Stage | null } {
  const card = make("div", { class: "card stage" });
  const moving = state.runs.find((run) => run.scene !== null);
  if (!moving) {
    const note = state.runs[0].json.note || "There is nothing to animate.";
    card.append(make("p", { class: "nothing" }, note));
    if (state.end > state.begin) card.append(makeTransport(state));
    return { node: card, stage: null };
  }
  const off = "This browser shows no 3-D pictures, so there is no animation: WebGL, or hardware acceleration, is turned off in its settings. The plots and the report are complete.";
  if (!document.createElement("canvas").getContext("webgl2")) {
    card.append(make("p", { class: "nothing" }, off), makeTransport(state));
    return { node: card, stage: null };
  }
  try {
    const stage = new Stage(state);
    stage.node.append(makeArrowScale(state));
    card.append(stage.node, stage.legend, makeTransport(state, { loads: Loads.kindsOf(moving) }));
    const notes = [...new Set(state.runs.map((run) => run.json.note).filter(Boolean))];
    if (notes.length > 0) card.append(make("p", { class: "note soft small" }, notes.join(" ")));
    return { node: card, stage };
  } catch (error) {
    console.error(error);
    card.replaceChildren(make("p", { class: "nothing" }, off), makeTransport(state));
    return { node: card, stage: null };
  }
}

function makeFooter(version: string, runs: Run[], stage: boolean): HTMLElement {
  const keys: [string, string][] = [["space", "play"], ["← →", "step"], ["L", "loop"], ["Z", "look closer at this time in the plots, with shift less close"], ["A", "all of it"]];
  if (stage) keys.push(["1–4", "camera"], ["F", "zoom"], ["S", "strobe"], ["R", "reactions"], ["P", "forces"], ["W", "weights"], ["+ −", "longer, shorter arrows"], ["T", "trail"]);
  if (runs.length > 1) keys.push(["N", "next run"]);
  const hints = keys.flatMap(([key, what]) => [make("kbd", {}, key), ` ${what}  `]);
  return make("footer", {}, describeParts(runs), "Drag along a plot, by mouse or finger, to look at a part of the time; “show all”, or a double click, leads back. Click in it to go to that time. ",
    make("br"), ...hints, make("br"), `Made by driftless ${version}.`);
}

function start() {
  const { version, runs } = readRuns();
  const state = new State(runs);
  const theme = followSystemTheme(state);
  document.title = `${runs[0].json.info.model || runs[0].label} – Driftless`;
  const { node, stage } = makeStage(state);
  const left = make("div", { class: "left" }, node);
  const first = runs.find((run) => run.scene !== null)?.scene;
  if (first && stage) left.append(makeTree(state, first, (selection) => stage.toggleTrailOf(selection)));
  const specs = defaultPanels(runs);
  const moment = isMoment(runs);
  const plots = new PanelGroup(state, moment ? [] : specs);
  if (moment) plots.node.prepend(makeMoment(runs, specs));
  const main = make("main", stage ? (stage.wide ? { class: "wide" } : {}) : { class: "flat" }, left, plots.node);
  document.getElementById("app")!.append(makeHeader(runs, theme), main, makeReport(state), makeFooter(version, runs, stage !== null));
  listenToKeys(state, () => stage?.zoom(), (view) => stage?.look(view), plots);

  let last = performance.now();
  const frame = (now: number) => {
    const seconds = Math.min((now - last) / 1000, 0.1);
    last = now;
    if (state.playing) state.advance(seconds);
    stage?.draw();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame((now) => {
    frame(now);
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  });
}

start();

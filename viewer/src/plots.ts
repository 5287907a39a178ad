// All plots of the page.

import type { Numbers } from "./data";
import { button, make } from "./dom";
import { Panel, type PanelSpec, type TimeRange } from "./panel";
import type { State } from "./state";

/** From the first to the last sample of all runs; of a single moment a little before and after it. */
function boundsOf({ runs }: State): [number, number] {
  const ends = runs.filter((run) => run.json.points > 0).map((run) => [run.times[0], run.times[run.times.length - 1]]);
  if (ends.length === 0) return [0, 1];
  const begin = Math.min(...ends.map((each) => each[0])), end = Math.max(...ends.map((each) => each[1]));
  return begin < end ? [begin, end] : [begin - 0.5, end + 0.5];
}

/** Whether values change by more than round-off. */
function moves(values: Numbers): boolean {
  let low = Infinity, high = -Infinity;
  for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
  return high - low > 1e-9 * Math.max(1, Math.abs(low), Math.abs(high));
}

const MANY_TIMES = 1e6;  // how much closer than all of it the time can be looked at

/** They share their range of time. */
export class PanelGroup implements TimeRange {
  readonly node = make("div", { class: "plots" });
  private readonly panels: Panel[] = [];
  private readonly adder = button("+ plot", "Add an empty plot", () => this.append({ title: "", names: [], log: false }));
  readonly bounds: [number, number];  // of all times
  range: [number, number] | null = null;
  private chosen: Panel | null = null;

  constructor(private readonly state: State, specs: PanelSpec[]) {
    this.bounds = boundsOf(state);
    const names = make("datalist", { id: "columns" });
    const all = new Set(state.runs.flatMap((run) => run.columns.slice(1).map((column) => column.name)));
    for (const name of all) names.append(make("option", { value: name }));
    this.adder.classList.add("add");
    this.node.append(names, this.adder);
    for (const spec of specs) this.append(spec);
    state.on("time", () => this.panels.forEach((panel) => panel.showTime()));
    state.on("theme", () => this.panels.forEach((panel) => panel.restyle()));
    state.on("selection", () => this.showSelection());
    new ResizeObserver(() => this.panels.forEach((panel) => panel.resize())).observe(this.node);
  }

  append(spec: PanelSpec, first = false): Panel {
    const panel = new Panel(this.state, spec, this);
    if (first) this.panels.unshift(panel); else this.panels.push(panel);
    if (first) this.node.prepend(panel.node); else this.adder.before(panel.node);
    requestAnimationFrame(() => panel.resize());
    return panel;
  }

  remove(panel: Panel) {
    this.panels.splice(this.panels.indexOf(panel), 1);
    panel.plot?.destroy();
    panel.node.remove();
    if (panel === this.chosen) this.chosen = null;
  }

  setRange(min: number, max: number) {
    const [begin, end] = this.bounds;
    if (!(max - min >= (end - begin) / MANY_TIMES)) return;
    this.range = [min, max];
    for (const panel of this.panels) panel.showRange();
  }

  showAll() {
    this.range = null;
    for (const panel of this.panels) panel.showRange();
  }

  /** Shows a part, or a multiple, of the range around the time of the animation. */
  zoom(factor: number) {
    const [begin, end] = this.bounds;
    const [min, max] = this.range ?? this.bounds;
    const span = Math.min(factor * (max - min), end - begin);
    if (span === end - begin) return this.showAll();
    const from = Math.min(Math.max(this.state.time - span / 2, begin), end - span);
    this.setRange(from, from + span);
  }

  /** What is selected stands out, and has a plot of its own. */
  private showSelection() {
    const { selection, runs } = this.state;
    if (this.chosen) this.remove(this.chosen);
    if (selection) {
      const prefix = selection.name + ".";
      const own = runs[0].columns.filter((column) => column.name.startsWith(prefix) && !column.name.endsWith("'"));
      const first = own.find((column) => moves(runs[0].named(column.name)!)) ?? own.find((column) => column.shown !== "") ?? own[0];
      const names = own.filter((column) => column.shown === first.shown).slice(0, 6).map((column) => column.name);
      if (names.length > 0) this.chosen = this.append({ title: `${selection.kind} ${selection.name}`, names, log: false }, true);
    }
    this.panels.forEach((panel) => panel.restyle());
  }
}

// Plots over time: every column selectable by name, linear or logarithmic, with a cursor shared by all plots and the
// animation.

import uPlot from "uplot";
import type { Run } from "./data";
import { button, format, make, setPressed, stem } from "./dom";
import { exportCsv, exportPng, exportSvg } from "./export";
import { colour, type State } from "./state";

/** `half`: two of them may stand side by side. */
export interface PanelSpec { title: string; names: string[]; log: boolean; half?: boolean }

export interface Series { run: Run; name: string; unit: string; scaled: boolean; colour: string; dash: number[]; label: string }

const HEIGHT = 196;
const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** One plot. */
export class Panel {
  readonly node: HTMLElement;
  private readonly chart = make("div", { class: "chart" });
  private readonly keys = make("div", { class: "keys" });
  private readonly heading = make("h3");
  private readonly logButton: HTMLButtonElement;
  private readonly now = make("div", { class: "now" });
  private values: HTMLElement[] = [];
  series: Series[] = [];
  data: uPlot.AlignedData = [[]];
  plot: uPlot | null = null;
  private floor = 0;  // of a logarithmic axis: a few values by chance near 0 must not stretch it

  constructor(private readonly state: State, readonly spec: PanelSpec, private readonly group: PanelGroup) {
    const add = make("input", {
      type: "text", list: "columns", placeholder: "add quantity…", "aria-label": "Add a quantity to this plot",
    });
    add.addEventListener("change", () => {
      if (!state.runs.some((run) => run.find(add.value) > 0)) return;
      if (!spec.names.includes(add.value)) spec.names.push(add.value);
      add.value = "";
      this.rebuild();
    });
    this.logButton = button("log", "Logarithmic axis", () => { spec.log = !spec.log; this.rebuild(); }, spec.log);
    const head = make("div", { class: "head" }, this.heading, add, this.logButton,
      button("SVG", "Save this plot as SVG", () => exportSvg(this, this.fileName("svg"))),
      button("PNG", "Save this plot as PNG", () => exportPng(this, this.fileName("png"))),
      button("CSV", "Save the data of this plot as CSV", () => exportCsv(this, this.fileName("csv"))),
      button("×", "Remove this plot", () => this.group.remove(this)));
    this.node = make("section", { class: spec.half ? "card panel half" : "card panel" }, head, this.keys, this.chart);
    this.rebuild();
  }

  get title() { return this.spec.title || this.spec.names.join(", "); }
  private fileName(extension: string) {
    return `${stem(this.state.runs[0].json.info.model)}_${stem(this.title)}.${extension}`;
  }

  /** Unit of the vertical axis; with several units, none. */
  get unit(): string {
    const units = new Set(this.series.map((each) => each.unit));
    return units.size === 1 ? [...units][0] : "";
  }
  get axisLabel(): string {
    const names = new Set(this.series.map((each) => each.name));
    const units = [...new Set(this.series.map((each) => each.unit))];
    const name = names.size <= 2 ? [...names].join(", ") : "";
    if (units.length > 1) return units.map((unit) => unit || "1").join(", ");
    return units[0] ? `${name} [${units[0]}]`.trim() : name;
  }

  private get time() { return this.state.runs[0].columns[0]; }
  get timeLabel() { return `t [${this.time.shown || "s"}]`; }

  rebuild() {
    this.heading.textContent = this.title || "Empty plot";
    setPressed(this.logButton, this.spec.log);
    this.collect();
    this.drawKeys();
    this.plot?.destroy();
    this.plot = null;
    this.chart.replaceChildren();
    if (this.series.length === 0) {
      this.chart.append(make("p", { class: "soft small" }, "Choose a quantity by its name."));
      return;
    }
    this.plot = new uPlot(this.options(), this.data, this.chart);
    this.plot.over.append(this.now);
    this.showTime();
  }

  private collect() {
    this.series = [];
    const tables: uPlot.AlignedData[] = [];
    const { runs } = this.state;
    let sameTimes = true;
    for (const run of runs) {
      const columns: (Float64Array | Float32Array | (number | null)[])[] = [];
      this.spec.names.forEach((name, k) => {
        const si = run.named(name);
        if (!si) return;
        const { shown, factor } = run.columns[run.find(name)];
        const values = factor === 1 ? si : si.map((v) => v / factor);
        columns.push(this.spec.log ? Array.from(values, (v) => (Math.abs(v) > 0 ? Math.abs(v) : null)) : values);
        this.series.push({
          run, name, unit: shown, scaled: factor !== 1,
          colour: colour(runs.length > 1 ? run.index : k),
          dash: runs.length > 1 ? [[], [7, 4], [2, 3], [10, 3, 2, 3]][k % 4] : [],
          label: runs.length > 1 ? `${name} – ${run.label}` : name,
        });
      });
      if (columns.length === 0) continue;
      tables.push([run.times, ...columns] as uPlot.AlignedData);
      sameTimes &&= equal(tables[0][0] as Float64Array, run.times);
    }
    if (tables.length === 0) this.data = [[]];
    else if (sameTimes) this.data = [tables[0][0], ...tables.flatMap((table) => table.slice(1))] as uPlot.AlignedData;
    else this.data = uPlot.join(tables);
    if (!this.spec.log) return;
    const sizes = this.data.slice(1).map((list) => {
      const found = (Array.from(list) as (number | null)[]).filter((v): v is number => v !== null && v > 0).sort((a, b) => a - b);
      return found[Math.floor(0.02 * found.length)] ?? Infinity;
    });
    this.floor = Math.min(...sizes);
  }

  private drawKeys() {
    this.keys.replaceChildren();
    this.values = this.series.map((each) => {
      const line = make("span", { class: "line" });
      line.style.borderTopColor = each.colour;
      if (each.dash.length > 0) line.style.borderTopStyle = "dashed";
      const value = make("span", { class: "value" });
      const drop = make("button", { class: "drop", type: "button", title: "Remove", "aria-label": `Remove ${each.name}` }, "×");
      drop.addEventListener("click", () => {
        this.spec.names = this.spec.names.filter((name) => name !== each.name);
        this.rebuild();
      });
      const unsure = each.run.report?.not_unique.includes(each.name)
        ? make("span", { class: "no", title: "Redundant joints could share this load in other ways" }, " (not unique)") : null;
      const key = make("span", { class: "key" }, line, each.label, unsure, value, drop);
      key.classList.toggle("chosen", this.isChosen(each));
      this.keys.append(key);
      return value;
    });
  }

  private isChosen(series: Series): boolean {
    const selection = this.state.selection;
    return selection !== null && (series.name === selection.name || series.name.startsWith(selection.name + "."));
  }

  /** Of several runs the first is broad: it shows under the others where they agree. */
  private widthOf(series: Series): number {
    const broad = this.state.runs.length > 1 && series.run.index === 0 ? 2 : 1;
    return (this.isChosen(series) ? 3 : 1.5) * broad;
  }

  private options(): uPlot.Options {
    const axis = (label: string, size?: number): uPlot.Axis => ({
      label: label || undefined, labelSize: 18, labelGap: 0, labelFont: "12px system-ui, sans-serif", font: "11px system-ui, sans-serif",
      stroke: () => css("--soft"), grid: { stroke: () => css("--grid"), width: 1 },
      ticks: { stroke: () => css("--grid"), width: 1, size: 4 }, gap: 3, ...(size ? { size } : {}),
    });
    const positive = this.data.slice(1).some((list) => (list as (number | null)[]).some((v) => v !== null && v > 0));
    const log = this.spec.log && positive;
    return {
      width: Math.max(this.chart.clientWidth || this.node.clientWidth - 26 || 560, 220), height: HEIGHT,
      legend: { show: false },
      cursor: {
        sync: { key: "driftless", setSeries: false }, drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
      },
      scales: { x: { time: false }, y: log ? { distr: 3, log: 10, range: (_, min, max) => logRange(Math.max(min ?? NaN, this.floor), max) } : { range: linearRange } },
      axes: [
        { ...axis(this.timeLabel, 24), values: (_, splits) => splits.map((v) => format(v / this.time.factor, 5)) },
        {
          ...(log ? onlyDecades(axis(this.axisLabel, 54)) : axis(this.axisLabel, 54)),
          values: (_, splits) => splits.map((v) => (v === null ? "" : format(v, log ? 1 : 5))),
        },
      ],
      series: [
        {},
        ...this.series.map((each) => ({
          label: each.label, stroke: each.colour, width: this.widthOf(each), dash: each.dash,
          spanGaps: true, points: { show: this.data[0].length < 40, size: 4 },
        })),
      ],
      hooks: {
        setCursor: [(u) => this.showValues(u.cursor.idx ?? null)],
        setScale: [(_, key) => { if (key === "x") this.showTime(); }],
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          this.group.setRange(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        ready: [(u) => this.listen(u)],
      },
    };
  }

  /** A click without a drag moves the animation there; two show all of the run. */
  private listen(u: uPlot) {
    let down = NaN;
    u.over.addEventListener("pointerdown", (event) => { down = event.clientX; });
    u.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - down) < 4) this.state.setTime(u.posToVal(event.offsetX, "x"));
    });
    u.over.addEventListener("dblclick", () => this.group.setRange(this.group.begin, this.group.end));
  }

  private showValues(index: number | null) {
    const at = index ?? this.findIndex(this.state.time);
    this.values.forEach((node, k) => {
      const unit = this.series[k].unit;
      const value = this.data[k + 1]?.[at] as number | null | undefined;
      node.textContent = value == null ? "" : format(value) + (unit ? " " + unit : "");
    });
  }

  private findIndex(t: number): number {
    const times = this.data[0];
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((times[middle] as number) <= t) low = middle; else high = middle - 1;
    }
    return low;
  }

  showTime() {
    if (!this.plot) return;
    const left = this.plot.valToPos(this.state.time, "x");
    const inside = left >= -1 && left <= this.plot.over.clientWidth + 1;
    this.now.style.display = inside ? "" : "none";
    this.now.style.transform = `translateX(${left}px)`;
    if (this.plot.cursor.idx == null) this.showValues(null);
  }

  setRange(min: number, max: number) { this.plot?.setScale("x", { min, max }); }

  resize() {
    if (this.plot && this.chart.clientWidth > 0 && this.plot.width !== this.chart.clientWidth) {
      this.plot.setSize({ width: this.chart.clientWidth, height: HEIGHT });
      this.showTime();
    }
  }

  /** Colours of the theme, or what is selected, have changed. */
  restyle() {
    if (!this.plot) return;
    this.series.forEach((each, k) => { this.plot!.series[k + 1].width = this.widthOf(each); });
    [...this.keys.children].forEach((key, k) => key.classList.toggle("chosen", this.isChosen(this.series[k])));
    this.plot.redraw(false, true);
  }
}

/** Ticks at powers of ten alone, at most seven of them. (Those of the library never end below 1e-16.) */
function onlyDecades(axis: uPlot.Axis): uPlot.Axis {
  const splits = (_: uPlot, __: number, min: number, max: number) => {
    const low = Math.ceil(Math.log10(min) - 1e-9), high = Math.floor(Math.log10(max) + 1e-9);
    const step = Math.max(1, Math.ceil((high - low) / 6));
    const list: number[] = [];
    for (let power = low; power <= high; power += step) list.push(10 ** power);
    return list;
  };
  return { ...axis, splits, filter: (_, list) => list };
}

/** Whole decades, at least two of them, with the values away from the edge. */
function logRange(min: number, max: number | null): uPlot.Range.MinMax {
  if (!(min > 0) || max == null || !(max >= min)) return [1e-16, 1];
  let low = Math.floor(Math.log10(min) + 1e-9), high = Math.ceil(Math.log10(max) - 1e-9);
  while (high - low < 2) {
    if (high - Math.log10(max) < Math.log10(min) - low) ++high; else --low;
  }
  return [10 ** low, 10 ** high];
}

function linearRange(_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min == null || max == null) return [-1, 1];
  if (min === max) return [min - (Math.abs(min) / 2 || 1), max + (Math.abs(max) / 2 || 1)];
  const span = Math.max(max - min, 1e-9 * Math.max(Math.abs(min), Math.abs(max))) || 1;  // finer has no ticks
  return [min - 0.06 * span, max + 0.06 * span];
}

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; ++k) if (a[k] !== b[k]) return false;
  return true;
}

/** All plots of the page. They share their range of time. */
export class PanelGroup {
  readonly node = make("div", { class: "plots" });
  private readonly panels: Panel[] = [];
  private readonly adder = button("+ plot", "Add an empty plot", () => this.append({ title: "", names: [], log: false }));
  readonly begin: number;
  readonly end: number;
  private chosen: Panel | null = null;

  constructor(private readonly state: State, specs: PanelSpec[]) {
    const ends = state.runs.filter((run) => run.json.points > 0).map((run) => [run.times[0], run.times[run.times.length - 1]]);
    this.begin = Math.min(...ends.map((each) => each[0]));
    this.end = Math.max(...ends.map((each) => each[1]));
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
    if (min < max) for (const panel of this.panels) panel.setRange(min, max);
  }

  /** What is selected stands out, and has a plot of its own. */
  private showSelection() {
    const { selection, runs } = this.state;
    if (this.chosen) this.remove(this.chosen);
    if (selection) {
      const prefix = selection.name + ".";
      const own = runs[0].columns.filter((column) => column.name.startsWith(prefix) && !column.name.endsWith("'"));
      const first = own.find((column) => column.shown !== "") ?? own[0];
      const names = own.filter((column) => column.shown === first.shown).slice(0, 6).map((column) => column.name);
      if (names.length > 0) this.chosen = this.append({ title: `${selection.kind} ${selection.name}`, names, log: false }, true);
    }
    this.panels.forEach((panel) => panel.restyle());
  }
}

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
  const owners = new Set((scene?.elements ?? []).filter((each) => each.kind === "joint").map((each) => each.name));
  const plain = own.filter((column) => !column.name.endsWith("'"));
  const records = scene ? plain.filter((column) => !column.name.includes(".")) : findRecords(runs[0]);
  const joints = plain.filter((column) => {
    const [owner, part] = column.name.split(".");
    return owners.has(owner) && /^(angle|position|angle\d|position\d)$/.test(part ?? "");
  });
  const motion = records.length > 0 ? records : joints.length > 0 ? joints : plain;
  const groups = new Map<string, string[]>();
  for (const column of motion) groups.set(column.shown, [...(groups.get(column.shown) ?? []), column.name]);
  const specs: PanelSpec[] = [...groups.values()].slice(0, 3).map((names) => ({
    title: names.length === 1 ? "" : records.length > 0 ? "Recorded" : joints.length > 0 ? "Joint coordinates" : "Motion",
    names: names.slice(0, 6), log: false,
  }));
  for (const [title, key, names] of DRIFT) {
    if (key === "sigma_min" && runs.every((run) => run.report?.rows === 0)) continue;  // there is no G
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

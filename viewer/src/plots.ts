// Plots over time: every column selectable by name, linear or logarithmic, with a cursor shared by all plots and the
// animation.

import uPlot from "uplot";
import { labelTicks, linearRange, logRange, onlyDecades, widthOfLabels } from "./axes";
import { describeThinning, type Numbers, type Run } from "./data";
import { breakable, button, format, make, setPressed, stem } from "./dom";
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
  private readonly complaint = make("p", { class: "no small", role: "status" });
  private readonly logButton: HTMLButtonElement;
  private readonly thinned = make("p", { class: "soft small" });
  private readonly now = make("div", { class: "now" });
  private values: HTMLElement[] = [];
  series: Series[] = [];
  data: uPlot.AlignedData = [[]];   // times and values
  drawn: uPlot.AlignedData = [[]];  // the same; on a logarithmic axis their sizes, with zeros below its end
  plot: uPlot | null = null;
  private floor = 0;  // of a logarithmic axis: a few values by chance near 0 must not stretch it

  constructor(private readonly state: State, readonly spec: PanelSpec, private readonly group: PanelGroup) {
    const add = make("input", {
      type: "text", list: "columns", placeholder: "add quantity…", "aria-label": "Add a quantity to this plot",
    });
    add.addEventListener("input", () => this.complaint.replaceChildren());
    add.addEventListener("change", () => {
      this.complaint.textContent = add.value ? this.complainOf(add.value) : "";
      if (!add.value || this.complaint.textContent) return;
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
    this.node = make("section", { class: spec.half ? "card panel half" : "card panel" }, head, this.complaint, this.keys, this.thinned, this.chart);
    this.rebuild();
  }

  /** What is wrong with the name of a quantity; empty: nothing. */
  private complainOf(name: string): string {
    const { runs } = this.state;
    if (runs.some((run) => run.find(name) > 0)) return "";
    const part = name.toLowerCase();
    const near = [...new Set(runs.flatMap((run) => run.columns.slice(1).map((column) => column.name)))]
      .filter((each) => each.toLowerCase().includes(part)).slice(0, 5);
    return `No quantity is named ${name}. ` + (near.length > 0 ? `Do you mean ${near.join(", ")}?` : "The list of the field has all names.");
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
    const list = [...names].join(", ");
    const name = list.length <= 28 ? list : "";
    // Of an equation model a unit that is not told may be any.
    if (units.length > 1) return units.map((unit) => unit || (this.state.runs[0].scene ? "1" : "")).filter(Boolean).join(", ");
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
    this.plot = new uPlot(this.options(), this.drawn, this.chart);
    if (this.group.range) this.setRange(...this.group.range);
    this.plot.over.append(this.now);
  }

  private collect() {
    this.series = [];
    const tables: uPlot.AlignedData[] = [];
    const { runs } = this.state;
    let sameTimes = true;
    for (const run of runs) {
      const columns: Numbers[] = [];
      this.spec.names.forEach((name, k) => {
        const si = run.named(name);
        if (!si) return;
        const { shown, factor } = run.columns[run.find(name)];
        const values = factor === 1 ? si : si.map((v) => v / factor);
        columns.push(values);
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
    this.drawn = [this.data[0], ...this.data.slice(1).map((values, k) => withoutStart(this.series[k].name, values))] as uPlot.AlignedData;
    if (!this.spec.log) return;
    this.floor = Math.min(...this.series.map((each, k) => findFloor(each.name, this.data[k + 1] as Values)));
    if (this.floor === Infinity) return;  // nothing but zeros: a linear axis shows them
    this.drawn = [this.data[0], ...this.drawn.slice(1).map((values) => sizesOf(values as Values, this.floor))] as uPlot.AlignedData;
  }

  /** Of a thinned run that is looked at so closely that a line between its values would be taken for the motion: what is
      known of it, strips from the smallest to the largest value of each group of samples. Null: the line is as good. */
  stripsOf(index: number): Strip[] | null {
    const { run } = this.series[index];
    const { min, max } = this.plot?.scales.x ?? {};
    if (run.json.rows_per_bucket <= 1 || min == null || max == null) return null;
    const width = ((this.plot!.over.clientWidth || this.plot!.width) * groupSpan(run)) / (max - min);
    if (width < CLOSE) return null;
    const times = this.data[0], values = this.drawn[index + 1];
    const own = this.placesOf(index);
    const strips: Strip[] = [];
    for (let k = 0; k < own.length; k += 2) {
      const first = own[k], last = own[Math.min(k + 1, own.length - 1)];
      const [a, b] = [values[first] as number | null, values[last] as number | null];
      const [from, to] = [times[first] as number, times[last] as number];
      if (a != null && b != null && to >= min && from <= max) strips.push({ from, to, low: Math.min(a, b), high: Math.max(a, b) });
    }
    return strips;
  }

  /** Where in the data the values of one curve are: runs with other times have their places between them. */
  private placesOf(index: number): number[] {
    const places: number[] = [];
    const values = this.data[index + 1];
    for (let k = 0; k < values.length; ++k) if (values[k] !== undefined) places.push(k);
    return places;
  }

  private showThinning() {
    const isUnsure = (_: Series, k: number) => this.stripsOf(k)?.some(({ low, high }) => low < high);
    const close = [...new Set(this.series.filter(isUnsure).map((each) => each.run))];
    this.thinned.textContent = close.length > 0 ? describeThinning(close, "Strips span") + "; the result file holds all." : "";
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
      // The title says what it is, so the run is enough; behind it the number must not fall apart.
      const text = this.spec.names.length === 1 && this.state.runs.length > 1 ? each.run.label : each.label;
      const key = make("span", { class: "key" }, line, make("span", { class: "name" }, ...breakable(text), unsure), value, drop);
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
    const log = this.spec.log && this.floor < Infinity;
    return {
      width: Math.max(this.chart.clientWidth || this.node.clientWidth - 26 || 560, 220), height: HEIGHT,
      legend: { show: false },
      cursor: {
        sync: { key: "driftless", setSeries: false }, drag: { x: true, y: false, setScale: false },
        points: { size: 6, fill: (_, k) => this.series[k - 1].colour },
      },
      scales: { x: { time: false }, y: log ? { distr: 3, log: 10, range: (_, min, max) => logRange(Math.max(min ?? NaN, this.floor), max) } : { range: linearRange } },
      axes: [
        { ...axis(this.timeLabel, 24), values: (_, splits) => labelTicks(splits.map((v) => v / this.time.factor)) },
        {
          ...(log ? onlyDecades(axis(this.axisLabel, 54)) : { ...axis(this.axisLabel), size: (_, labels) => widthOfLabels(labels) }),
          values: (_, splits) => (log ? splits.map((v) => (v === null ? "" : format(v, 1))) : labelTicks(splits)),
        },
      ],
      series: [
        {},
        ...this.series.map((each) => ({
          label: each.label, stroke: each.colour, fill: each.colour + "30", width: this.widthOf(each), dash: each.dash,
          spanGaps: true, points: { show: this.data[0].length < 40, size: 4 },
          paths: (u: uPlot, seriesIndex: number, from: number, to: number) => {
            const strips = this.plot ? this.stripsOf(seriesIndex - 1) : null;
            if (!strips) return { ...uPlot.paths.linear!()(u, seriesIndex, from, to)!, fill: null };
            const outline = outlineOf(strips, u);
            return { stroke: outline, fill: outline };
          },
        })),
      ],
      hooks: {
        setCursor: [(u) => this.showValues(u.cursor.idx ?? null)],
        draw: [() => { this.showTime(); this.showThinning(); }],  // before, the plot does not know its size
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
      const text = this.describeValue(k, at);
      node.textContent = text && unit ? `${text} ${unit}` : text;
    });
  }

  /** A thinned run has no value of one moment, but the bounds of a group of them. */
  private describeValue(index: number, at: number): string {
    const values = this.data[index + 1] as Values | undefined;
    const value = values?.[at];
    if (values === undefined || value == null) return "";
    if (this.series[index].run.json.rows_per_bucket <= 1) return format(value);
    const own = this.placesOf(index);
    const first = 2 * Math.floor(own.indexOf(at) / 2);
    const pair = [values[own[first]], values[own[first + 1]] ?? values[own[first]]] as number[];
    const [low, high] = pair.map((v) => v ?? value).sort((a, b) => a - b).map((v) => format(v));
    return low === high ? low : `${low} … ${high}`;
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
    const { min, max } = this.plot.scales.x;
    const hair = 1e-9 * Math.abs((max ?? 0) - (min ?? 0));
    const inside = min != null && max != null && this.state.time >= min - hair && this.state.time <= max + hair;
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

type Values = ArrayLike<number | null | undefined>;

/** What is known of a group of samples: from when to when, and between which values. */
export interface Strip { from: number; to: number; low: number; high: number }

const CLOSE = 4;  // pixels of a group of samples: wider, it is seen as a stretch of time

/** The time that a group of a thinned run's samples takes, about. */
function groupSpan(run: Run): number {
  const { times, json } = run;
  return ((times[times.length - 1] - times[0]) * json.rows_per_bucket) / Math.max(json.samples - 1, 1);
}

function outlineOf(strips: Strip[], u: uPlot): Path2D {
  const path = new Path2D();
  for (const { from, to, low, high } of strips) {
    const [left, right] = [u.valToPos(from, "x", true), u.valToPos(to, "x", true)];
    const [bottom, top] = [u.valToPos(low, "y", true), u.valToPos(high, "y", true)];
    path.rect(left, top, right - left, bottom - top);
  }
  return path;
}

/** At the start no step has been made yet, which a result tells by 0: that is no size of a step. */
function withoutStart(name: string, values: uPlot.AlignedData[number]) {
  return name === "step" ? Array.from(values as Values, (v) => (v === 0 ? null : v)) : values;
}

/** For a logarithmic axis that begins at `floor`. A zero lies far below it, so that the line goes down to the axis: were
    it left out, the values beside it would look like those of the whole run. */
function sizesOf(values: Values, floor: number): (number | null | undefined)[] {
  return Array.from(values, (v) => (v == null ? v : v === 0 ? 1e-9 * floor : Number.isFinite(v) ? Math.abs(v) : null));
}

/** Quantities that are nothing but round-off where they are small. */
const ERRORS = /^phi(_dot)?$|error|drift/;

/** Where a logarithmic axis begins: at the smallest size. How near an error, or a passage through 0, comes to 0 is
    chance, and would stretch the axis: there 2 % of the values may lie below, and whatever is far below the round-off of
    numbers of the size 1, unless all of it is. */
const ROUND_OFF = 1e-18;
function findFloor(name: string, values: Values): number {
  const sizes = Array.from(values, (v) => Math.abs(v ?? 0)).filter((v) => v > 0 && v < Infinity).sort((a, b) => a - b);
  const signs = new Set(Array.from(values, (v) => Math.sign(v ?? 0)));
  const byChance = ERRORS.test(name) || (signs.has(1) && signs.has(-1));
  const floor = sizes[byChance ? Math.floor(0.02 * sizes.length) : 0] ?? Infinity;
  const largest = sizes[sizes.length - 1] ?? 0;
  return ERRORS.test(name) && largest > 10 * ROUND_OFF ? Math.max(floor, ROUND_OFF) : floor;
}

/** Whether values change by more than round-off. */
function moves(values: Numbers): boolean {
  let low = Infinity, high = -Infinity;
  for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
  return high - low > 1e-9 * Math.max(1, Math.abs(low), Math.abs(high));
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
  range: [number, number] | null = null;  // of the time that is shown; null: all
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
    if (!(min < max)) return;
    this.range = [min, max];
    for (const panel of this.panels) panel.setRange(min, max);
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

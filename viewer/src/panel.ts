// One plot over time: quantities by their names, linear or logarithmic, with a cursor shared by all plots and the
// animation.

import uPlot from "uplot";
import { labelTicks, linearRange, logRange, multiplesOf, onlyDecades, stepsBetween, timeSplits, widthOfLabels } from "./axes";
import { Curves, type Series, type Strip } from "./curves";
import { describeThinning } from "./data";
import { breakable, button, format, make, setPressed, shorten, stem } from "./dom";
import { exportCsv, exportPng, exportSvg } from "./export";
import type { State } from "./state";
import { listenToTouch } from "./touch";

/** `half`: two of them may stand side by side. */
export interface PanelSpec { title: string; names: string[]; log: boolean; logTime?: boolean; half?: boolean }

/** The range of time that all plots show. */
export interface TimeRange {
  readonly range: [number, number] | null;  // null: all
  setRange(min: number, max: number): void;
  showAll(): void;
}

const HEIGHT = 196;
const FEW = 40;  // samples: fewer are marked, each of them
const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function outlineOf(strips: Strip[], u: uPlot): Path2D {
  const path = new Path2D();
  for (const { from, to, low, high } of strips) {
    const [left, right] = [u.valToPos(from, "x", true), u.valToPos(to, "x", true)];
    const [bottom, top] = [u.valToPos(low, "y", true), u.valToPos(high, "y", true)];
    path.rect(left, top, right - left, bottom - top);
  }
  return path;
}

/** One plot. */
export class Panel {
  readonly node: HTMLElement;
  private readonly chart = make("div", { class: "chart" });
  private readonly keys = make("div", { class: "keys" });
  private readonly heading = make("h3");
  private readonly complaint = make("p", { class: "no small", role: "status" });
  private readonly logButton: HTMLButtonElement;
  private readonly timeButton: HTMLButtonElement;
  private readonly allButton: HTMLButtonElement;
  private readonly thinned = make("p", { class: "soft small" });
  private readonly now = make("div", { class: "now" });
  private values: HTMLElement[] = [];
  private curves!: Curves;
  plot: uPlot | null = null;

  constructor(private readonly state: State, readonly spec: PanelSpec, private readonly group: TimeRange & { remove(panel: Panel): void; readonly bounds: [number, number] }) {
    const add = make("input", {
      type: "text", list: "columns", placeholder: "quantity…", title: "Add a quantity to this plot", "aria-label": "Add a quantity to this plot",
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
    this.timeButton = button("log t", "Logarithmic axis of time", () => { spec.logTime = !spec.logTime; this.rebuild(); }, spec.logTime ?? false);
    this.allButton = button("show all", "Show all of the time (A)", () => group.showAll());
    this.allButton.classList.add("all");
    const head = make("div", { class: "head" }, this.heading, this.allButton, add, this.logButton, this.timeButton,
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

  get series() { return this.curves.series; }
  get data() { return this.curves.data; }
  get drawn() { return this.curves.drawn; }
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
    this.heading.textContent = shorten(this.title) || "Empty plot";
    this.heading.title = this.heading.textContent === this.title ? "" : this.title;
    setPressed(this.logButton, this.spec.log);
    setPressed(this.timeButton, this.spec.logTime ?? false);
    this.curves = new Curves(this.state.runs, this.spec.names, this.spec.log);
    this.allButton.hidden = this.group.range === null;
    this.drawKeys();
    this.plot?.destroy();
    this.plot = null;
    this.chart.replaceChildren();
    if (this.series.length === 0) {
      this.chart.append(make("p", { class: "soft small" }, "Choose a quantity by its name."));
      return;
    }
    this.plot = new uPlot(this.options(), this.drawn, this.chart);
    this.showRange();
    this.plot.over.append(this.now);
  }

  /** Of one curve as the plot shows it now; null: a line is as good. */
  stripsOf(index: number): Strip[] | null {
    const { min, max } = this.plot?.scales.x ?? {};
    if (min == null || max == null) return null;
    return this.curves.stripsOf(index, min, max, this.plot!.over.clientWidth || this.plot!.width);
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
      const short = shorten(text);
      const name = make("span", short === text ? { class: "name" } : { class: "name", title: text }, ...breakable(short), unsure);
      const key = make("span", { class: "key" }, line, name, value, drop);
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
    const { floor } = this.curves;
    const log = this.spec.log && floor < Infinity;
    const whole = this.series.every((each) => each.name === "order");  // there is nothing between two of them
    return {
      width: Math.max(this.chart.clientWidth || this.node.clientWidth - 26 || 560, 220), height: HEIGHT,
      legend: { show: false },
      cursor: {
        sync: { key: "driftless", setSeries: false }, drag: { x: true, y: false, setScale: false },
        points: { size: 6, fill: (_, k) => this.series[k - 1].colour },
      },
      scales: { x: { time: false, ...(this.firstLogTime > 0 ? { distr: 3 as const, log: 10 as const } : {}) }, y: log ? { distr: 3, log: 10, range: (_, min, max) => logRange(Math.max(min ?? NaN, floor), max) } : { range: linearRange } },
      axes: [
        this.firstLogTime > 0
          ? { ...axis(this.timeLabel, 24), splits: timeSplits(this.time.factor), filter: (_, list) => list, values: (_, splits) => splits.map((v) => format(v / this.time.factor, 3)) }
          : { ...axis(this.timeLabel, 24), values: (_, splits) => labelTicks(splits.map((v) => v / this.time.factor)) },
        {
          ...(log ? onlyDecades(axis(this.axisLabel, 54)) : { ...axis(this.axisLabel), size: (_, labels) => widthOfLabels(labels), splits: multiplesOf, incrs: whole ? [1, 2, 5, 10] : stepsBetween }),
          values: (_, splits) => (log ? splits.map((v) => (v === null ? "" : format(v, 1))) : labelTicks(splits)),
        },
      ],
      series: [
        {},
        ...this.series.map((each, k) => ({
          label: each.label, stroke: each.colour, fill: each.colour + "30", width: this.widthOf(each), dash: each.dash,
          spanGaps: false, points: { show: this.curves.placesOf(k).length < FEW, size: 4 },
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
    u.over.addEventListener("dblclick", () => this.group.showAll());
    listenToTouch(u, this.group, () => this.group.bounds);
  }

  private showValues(index: number | null) {
    const at = index ?? this.curves.findIndex(this.state.time);
    this.values.forEach((node, k) => { node.textContent = this.curves.describe(k, at); });
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

  /** Where a logarithmic axis of time begins, at the first time that is on it; 0: the axis is linear. */
  private get firstLogTime(): number {
    if (!this.spec.logTime) return 0;
    const times = this.data[0];
    for (let k = 0; k + 1 < times.length; ++k) if ((times[k] as number) > 0) return times[k] as number;
    return 0;
  }

  /** Shows the range of time of all plots. */
  showRange() {
    this.allButton.hidden = this.group.range === null;
    const [min, max] = this.group.range ?? this.group.bounds;
    this.plot?.setScale("x", { min: Math.max(min, this.firstLogTime || min), max });
  }

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

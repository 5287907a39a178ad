// What a plot shows: columns of runs over one common list of times, and what of them is known where they are thinned.

import uPlot from "uplot";
import type { Numbers, Run } from "./data";
import { format } from "./dom";
import { colour } from "./state";

export interface Series { run: Run; name: string; unit: string; scaled: boolean; colour: string; dash: number[]; label: string }

/** What is known of a group of samples: from when to when, and between which values. */
export interface Strip { from: number; to: number; low: number; high: number }

type Values = ArrayLike<number | null | undefined>;

const CLOSE = 4;  // pixels of a group of samples: wider, it is seen as a stretch of time
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

export class Curves {
  readonly series: Series[] = [];
  readonly data: uPlot.AlignedData;   // times and values
  readonly drawn: uPlot.AlignedData;  // without what is no value; on a logarithmic axis sizes, with zeros below its end
  readonly floor: number = 0;         // of a logarithmic axis: a few values by chance near 0 must not stretch it
  private readonly known: Values[];   // the values without what is none

  constructor(private readonly runs: Run[], names: string[], log: boolean) {
    this.data = this.collect(names);
    this.known = this.data.slice(1).map((values, k) => withoutStart(this.series[k].name, onlyFinite(values as Values)));
    this.drawn = [this.data[0], ...this.known] as uPlot.AlignedData;
    if (!log) return;
    this.floor = Math.min(...this.series.map((each, k) => findFloor(each.name, this.data[k + 1] as Values)));
    if (this.floor === Infinity) return;  // nothing but zeros: a linear axis shows them
    this.drawn = [this.data[0], ...this.known.map((values) => sizesOf(values, this.floor))] as uPlot.AlignedData;
  }

  private collect(names: string[]): uPlot.AlignedData {
    const tables: uPlot.AlignedData[] = [];
    let sameTimes = true;
    for (const run of this.runs) {
      const columns: Numbers[] = [];
      names.forEach((name, k) => {
        const si = run.named(name);
        if (!si) return;
        const { shown, factor } = run.columns[run.find(name)];
        columns.push(factor === 1 ? si : si.map((v) => v / factor));
        const several = this.runs.length > 1;
        this.series.push({
          run, name, unit: shown, scaled: factor !== 1,
          colour: colour(several ? run.index : k),
          dash: several ? DASHES[k % DASHES.length] : [],
          label: several ? `${name} – ${run.label}` : name,
        });
      });
      if (columns.length === 0) continue;
      tables.push([run.times, ...columns] as uPlot.AlignedData);
      sameTimes &&= equal(tables[0][0] as Float64Array, run.times);
    }
    if (tables.length === 0) return [[]];
    if (sameTimes) return [tables[0][0], ...tables.flatMap((table) => table.slice(1))] as uPlot.AlignedData;
    return uPlot.join(tables);
  }

  /** Where in the data the values of one curve are: runs with other times have their places between them. */
  placesOf(index: number): number[] {
    const places: number[] = [];
    const values = this.data[index + 1];
    for (let k = 0; k < values.length; ++k) if (values[k] !== undefined) places.push(k);
    return places;
  }

  /** The last place whose time is not after t. */
  findIndex(t: number): number {
    const times = this.data[0];
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((times[middle] as number) <= t) low = middle; else high = middle - 1;
    }
    return low;
  }

  /** A value with its unit. A thinned run has none of one moment, but the bounds of a group of them. */
  describe(index: number, at: number): string {
    const values = this.known[index];
    if (values?.[at] === undefined) return "";
    const { run, unit } = this.series[index];
    const bounds = run.json.rows_per_bucket > 1 ? this.groupOf(index, at) : [values[at]];
    const texts = bounds.filter((v): v is number => v != null && Number.isFinite(v)).sort((a, b) => a - b).map((v) => format(v));
    if (texts.length === 0) return "–";
    const text = texts[0] === texts[texts.length - 1] ? texts[0] : `${texts[0]} … ${texts[texts.length - 1]}`;
    return unit ? `${text} ${unit}` : text;
  }

  private groupOf(index: number, at: number): (number | null | undefined)[] {
    const own = this.placesOf(index);
    const first = 2 * Math.floor(own.indexOf(at) / 2);
    return [this.known[index][own[first]], this.known[index][own[first + 1]]];
  }

  /** Of a thinned run that is looked at so closely that a line between its values would be taken for the motion: what is
      known of it, strips from the smallest to the largest value of each group of samples. Null: the line is as good.
      `width`: in pixels, of the time from `min` to `max`. */
  stripsOf(index: number, min: number, max: number, width: number): Strip[] | null {
    const { run } = this.series[index];
    if (run.json.rows_per_bucket <= 1 || (width * groupSpan(run)) / (max - min) < CLOSE) return null;
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
}

/** The time that a group of a thinned run's samples takes, about. */
function groupSpan(run: Run): number {
  const { times, json } = run;
  return ((times[times.length - 1] - times[0]) * json.rows_per_bucket) / Math.max(json.samples - 1, 1);
}

/** Infinity has no place on an axis, and would leave none for the rest: there is a gap, which goes on over the times of
    other runs in it. */
function onlyFinite(values: Values): Values {
  const isFine = (v: number | null | undefined) => v == null || Number.isFinite(v);
  if (Array.prototype.every.call(values, isFine)) return values;
  const list = Array.from(values, (v) => (isFine(v) ? v : null));
  let gap = -1;  // the last place in it; -1: there is none
  list.forEach((v, k) => {
    if (v === null && gap >= 0) list.fill(null, gap, k);
    if (v !== undefined) gap = v === null ? k : -1;
  });
  return list;
}

/** At the start no step has been made yet, which a result tells by 0: that is no size of a step. */
function withoutStart(name: string, values: Values): Values {
  return name === "step" ? Array.from(values, (v) => (v === 0 ? null : v)) : values;
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

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; ++k) if (a[k] !== b[k]) return false;
  return true;
}

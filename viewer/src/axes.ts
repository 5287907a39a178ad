// Ranges and ticks of a plot's axes.

import type uPlot from "uplot";
import { format } from "./dom";

/** Ticks at powers of ten alone, at most seven of them. (Those of the library never end below 1e-16.) */
export function onlyDecades(axis: uPlot.Axis): uPlot.Axis {
  const splits = (_: uPlot, __: number, min: number, max: number) => {
    const low = Math.ceil(Math.log10(min) - 1e-9), high = Math.floor(Math.log10(max) + 1e-9);
    const step = Math.max(1, Math.ceil((high - low) / 6));
    const list: number[] = [];
    for (let power = low; power <= high; power += step) list.push(10 ** power);
    return list;
  };
  return { ...axis, splits, filter: (_, list) => list };
}

/** Ticks of a logarithmic axis of time, in units of `factor`: powers of ten, of a short one twice and five times them, too. */
export function timeSplits(factor: number) {
  return (_: uPlot, __: number, min: number, max: number) => {
    const low = Math.floor(Math.log10(min / factor)), high = Math.ceil(Math.log10(max / factor));
    const step = Math.max(1, Math.ceil((high - low) / 8));
    const list: number[] = [];
    for (let power = low; power <= high; power += step) {
      for (const digit of high - low <= 4 ? [1, 2, 5] : [1]) list.push(digit * 10 ** power * factor);
    }
    const hair = 1 + 1e-9;
    return list.filter((v) => v >= min / hair && v <= max * hair);
  };
}

/** Whole decades, at least two of them, with the values away from the edge. */
export function logRange(min: number, max: number | null): uPlot.Range.MinMax {
  if (!(min > 0) || max == null || !(max >= min)) return [1e-16, 1];
  let low = Math.floor(Math.log10(min) + 1e-9), high = Math.ceil(Math.log10(max) - 1e-9);
  while (high - low < 2) {
    if (high - Math.log10(max) < Math.log10(min) - low) ++high; else --low;
  }
  return [10 ** low, 10 ** high];
}

export function linearRange(_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min == null || max == null) return [-1, 1];
  if (min === max) return [min - (Math.abs(min) / 2 || 1), max + (Math.abs(max) / 2 || 1)];
  const span = Math.max(max - min, 1e-9 * Math.max(Math.abs(min), Math.abs(max))) || 1;  // finer has no ticks
  return [min - 0.06 * span, max + 0.06 * span];
}

const SMALLEST = 1e-16;  // step that the library knows
const niceSteps = (span: number) => [-2, -1, 0, 1].flatMap((k) => [1, 2, 5].map((digit) => Number(`${digit}e${Math.floor(Math.log10(span)) + k}`)));

/** Steps between ticks, 1, 2 or 5 times a power of ten, also beyond those that the library has. */
export function stepsBetween(_: uPlot, __: number, min: number, max: number): number[] {
  const steps = niceSteps(max - min);
  return steps[0] < SMALLEST ? [SMALLEST] : steps;  // it refuses others
}

/** Ticks at multiples of a step, each computed from its own multiple: sums would drift. */
export function multiplesOf(_: uPlot, __: number, min: number, max: number, found: number): number[] {
  const step = found > SMALLEST ? found : niceSteps(max - min).find((each) => (max - min) / each < 6)!;
  const list: number[] = [];
  for (let k = Math.ceil(min / step - 1e-9); k * step <= max + 1e-9 * step && list.length < 50; ++k) list.push(Number((k * step).toPrecision(15)));
  return list;
}

/** Labels of ticks: as many digits as tell neighbours apart, five at least. */
export function labelTicks(ticks: (number | null)[]): string[] {
  const values = ticks.filter((v): v is number => v !== null);
  const largest = Math.max(0, ...values.map(Math.abs));
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : 0;
  const digits = step > 0 ? Math.ceil(Math.log10(largest / step) + 1e-9) + 1 : 0;
  return ticks.map((v) => (v === null ? "" : format(v, Math.min(Math.max(digits, 5), 15))));
}

/** Room for the longest label, in pixels. */
export function widthOfLabels(labels: string[] | null): number {
  return Math.max(54, 20 + 6.2 * Math.max(0, ...(labels ?? []).map((text) => text.length)));
}

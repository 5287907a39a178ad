// Runs with no more than one sample: there is nothing to plot over time, but reasons and values to tell.

import { reasonOf, type Run } from "./data";
import { format, make } from "./dom";
import type { PanelSpec } from "./panel";

/** Whether all samples of all runs are of one moment. */
export const isMoment = (runs: Run[]) => runs.every(({ json, times }) => json.points < 2 || times[0] === times[json.points - 1])
  && new Set(runs.filter((run) => run.json.points > 0).map((run) => run.times[0])).size < 2;

/** `specs`: the plots that there would be. */
export function makeMoment(runs: Run[], specs: PanelSpec[]): HTMLElement {
  const sampled = runs.filter((run) => run.json.points > 0);
  const text = sampled.length > 0 ? `All samples are of t = ${format(sampled[0].times[0])} s. The values there:` : "There is no sample.";
  // Of a single run the head of the page says why.
  const reasons = runs.filter((run) => runs.length > 1 && reasonOf(run)).map((run) => make("p", { class: "reason small" }, (runs.length > 1 ? `${run.label}: ` : "") + reasonOf(run)));
  const node = make("section", { class: "card panel moment" }, make("h3", {}, "Nothing to plot over time"), make("p", {}, text), ...reasons);
  if (sampled.length > 0) node.append(make("div", { class: "scroll" }, makeTable(sampled, specs.flatMap((spec) => spec.names))));
  return node;
}

function makeTable(runs: Run[], names: string[]): HTMLElement {
  const known = names.filter((name) => name !== "step" && runs.some((run) => run.find(name) > 0));  // no step leads there
  const head = runs.length > 1 ? [make("thead", {}, make("tr", {}, make("th"), ...runs.map((run) => make("th", { class: "number" }, run.label))))] : [];
  return make("table", {}, ...head, make("tbody", {}, ...known.map((name) => make("tr", {}, make("th", {}, name), ...runs.map((run) => {
    const column = run.columns[run.find(name)];
    const text = column ? format(run.named(name)![0] / column.factor, 6) : "";
    return make("td", { class: "number" }, column?.shown && text !== "–" ? `${text} ${column.shown}` : text);
  })))));
}

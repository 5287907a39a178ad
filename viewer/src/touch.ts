// Fingers on a plot: one that goes along the time chooses a part of it, two spread or pinch it. Up and down they scroll
// the page, as everywhere (`touch-action` of the style).

import type uPlot from "uplot";
import type { TimeRange } from "./panel";

const DRAG = 12;    // pixels: a shorter way is a tap
const NARROW = 24;  // pixels: fingers closer together say nothing of the range

export function listenToTouch(u: uPlot, time: TimeRange, bounds: () => [number, number]) {
  const over = u.over;
  const fingers = new Map<number, number>();  // where they are now
  let from = NaN;                             // where one finger began; NaN: there were two
  let held: number[] = [];                    // the times under two fingers
  const place = (event: PointerEvent) => event.clientX - over.getBoundingClientRect().left;
  const places = () => [...fingers.values()].sort((a, b) => a - b);
  const mark = (left: number, right: number) => u.setSelect({ left, top: 0, width: right - left, height: right > left ? over.clientHeight : 0 }, false);

  /** The times that were under the fingers stay there. */
  const spread = () => {
    const [a, b] = places();
    if (b - a < NARROW) return;
    const slope = (held[1] - held[0]) / (b - a);
    const min = held[0] - slope * a, max = min + slope * over.clientWidth;
    const [begin, end] = bounds();
    time.setRange(Math.max(min, begin), Math.min(max, end));
  };

  over.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, place(event));
    from = fingers.size === 1 ? place(event) : NaN;
    if (fingers.size === 2) {
      mark(0, 0);
      held = places().map((x) => u.posToVal(x, "x"));
    }
  });
  over.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, place(event));
    if (fingers.size === 2) spread();
    else if (Math.abs(place(event) - from) > DRAG) mark(Math.min(from, place(event)), Math.max(from, place(event)));
  });
  const leave = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    const to = place(event);
    mark(0, 0);
    const chosen = event.type === "pointerup" && Math.abs(to - from) > DRAG;
    if (chosen) time.setRange(u.posToVal(Math.min(from, to), "x"), u.posToVal(Math.max(from, to), "x"));
    from = NaN;
  };
  over.addEventListener("pointerup", leave);
  over.addEventListener("pointercancel", leave);
}

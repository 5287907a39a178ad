// Play, pause, speed, scrub, loop, and what else is shown.

import { button, format, make, setPressed } from "./dom";
import type { LoadKind } from "./loads";
import { SPEEDS, type State } from "./state";

const ARROWS: [LoadKind, string, string][] = [
  ["reactions", "Reactions", "What joints and constraints exert, as arrows (R)"],
  ["forces", "Forces", "Applied forces and torques, as arrows (P)"],
  ["weights", "Weights", "The bodies' weights, as arrows (W)"],
];

/** How long the arrows are: from a sixteenth to sixteen times as long as at first. */
export function makeArrowScale(state: State): HTMLElement {
  const slider = make("input", { type: "range", class: "arrows", min: "-4", max: "4", step: "0.25", value: "0", "aria-label": "Length of the arrows" });
  slider.addEventListener("input", () => { state.arrowScale = 2 ** Number(slider.value); state.tell("options"); });
  const node = make("label", { class: "arrow-scale", title: "Length of the arrows (+ −)" }, "↗", slider);
  const show = () => {
    slider.value = String(Math.log2(state.arrowScale));
    node.hidden = !ARROWS.some(([kind]) => state[kind]);
  };
  state.on("options", show);
  show();
  return node;
}

/** `picture`: there is one, with arrows for these loads. */
export function makeTransport(state: State, picture: { loads: Record<LoadKind, boolean> } | null = null): HTMLElement {
  const play = button("▶ Play", "Play or pause (space)", () => state.setPlaying(!state.playing));
  play.classList.add("play");
  const scrub = make("input", {
    type: "range", class: "scrub", min: "0", max: "10000", step: "1", value: "0", "aria-label": "Time",
  });
  scrub.addEventListener("input", () => state.setTime(state.begin + (Number(scrub.value) / 10000) * (state.end - state.begin)));
  const clock = make("output", { "aria-live": "off" });
  const speed = make("select", { title: "Speed", "aria-label": "Speed" },
    ...SPEEDS.map((value) => make("option", { value: String(value) }, `${value}×`)));
  speed.addEventListener("change", () => { state.speed = Number(speed.value); state.tell("options"); });

  type Toggle = [string, string, () => boolean, (on: boolean) => void];
  const toggles: Toggle[] = [["Loop", "Begin again at the end (L)", () => state.loop, (on) => { state.loop = on; }]];
  if (picture) toggles.push(
    ["Strobe", "Also show where the bodies were (S)", () => state.strobe, (on) => { state.strobe = on; }],
    ...ARROWS.filter(([kind]) => picture.loads[kind]).map(([kind, label, title]): Toggle =>
      [label, title, () => state[kind], (on) => { state[kind] = on; }]),
    ["Trail", "Click on a point of a body, or on a name below, to draw its path (T)", () => state.placingTrail, (on) => { state.placingTrail = on; }],
  );
  const buttons = toggles.map(([label, title, get, set]) =>
    button(label, title, () => { set(!get()); state.tell("options"); }, get()));
  const clear = button("Clear trails", "Remove all trails", () => { state.trails = []; state.tell("trails"); });

  play.disabled = scrub.disabled = !(state.end > state.begin);

  const showOptions = () => {
    toggles.forEach(([, , get], k) => setPressed(buttons[k], get()));
    speed.value = String(state.speed);
    clear.hidden = state.trails.length === 0;
  };
  const showTime = () => {
    const span = state.end - state.begin;
    scrub.value = String(span > 0 ? Math.round(((state.time - state.begin) / span) * 10000) : 0);
    const digits = span < 10 ? 3 : span < 100 ? 2 : 1;
    clock.textContent = `${state.time.toFixed(digits)} / ${format(state.end, 6)} s`;
    scrub.setAttribute("aria-valuetext", `${state.time.toFixed(digits)} seconds`);
  };
  const showPlaying = () => { play.textContent = state.playing ? "❚❚ Pause" : "▶ Play"; };
  state.on("options", showOptions);
  state.on("trails", showOptions);
  state.on("time", showTime);
  state.on("playing", showPlaying);
  showOptions();
  showTime();
  return make("div", { class: "transport" }, play, scrub, clock, make("span", { class: "break" }), speed, ...buttons, clear);
}

/** Keys of the whole page. Fields that take text keep theirs. */
export function listenToKeys(state: State, zoom: () => void, look: (view: string) => void, plots: { showAll(): void; zoom(factor: number): void }) {
  const toggle = (key: "loop" | "strobe" | "placingTrail" | LoadKind) => { state[key] = !state[key]; state.tell("options"); };
  const step = () => Math.max((state.end - state.begin) / 1000, 0.02 * state.speed);
  const faster = (by: number) => {
    state.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(state.speed) + by))];
    state.tell("options");
  };
  const longer = (factor: number) => {
    state.arrowScale = Math.min(16, Math.max(1 / 16, state.arrowScale * factor));
    state.tell("options");
  };
  const acts: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => state.setPlaying(!state.playing),
    ArrowRight: (event) => state.setTime(state.time + step() * (event.shiftKey ? 10 : 1)),
    ArrowLeft: (event) => state.setTime(state.time - step() * (event.shiftKey ? 10 : 1)),
    ArrowUp: () => faster(1), ArrowDown: () => faster(-1),
    Home: () => state.setTime(state.begin), End: () => state.setTime(state.end),
    l: () => toggle("loop"), s: () => toggle("strobe"), r: () => toggle("reactions"), p: () => toggle("forces"), w: () => toggle("weights"), t: () => toggle("placingTrail"),
    "+": () => longer(2), "-": () => longer(0.5),
    n: () => state.chooseRun(state.runs[(state.runs.indexOf(state.run) + 1) % state.runs.length]),
    a: () => plots.showAll(), z: (event) => plots.zoom(event.shiftKey ? 2 : 0.5),
    f: () => zoom(), Escape: () => state.select(null),
    "1": () => look("front"), "2": () => look("top"), "3": () => look("side"), "4": () => look("corner"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const range = target instanceof HTMLInputElement && target.type === "range";
    if (target.matches("input, select, textarea") && !(range && event.key.length === 1)) return;  // a slider wants arrows only
    if (event.key === " " && target.matches("button, summary")) return;  // it presses the button
    if ((event.key === "ArrowUp" || event.key === "ArrowDown") && !target.closest(".stage")) return;  // they scroll
    if (/^(Arrow|Home|End)/.test(event.key) && target.closest(".scroll, pre")) return;  // they scroll it
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

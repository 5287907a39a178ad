// What the parts of the page share: time, what is selected, how it looks. Each part hears of every change.

import type { Run } from "./data";

export type Topic = "time" | "playing" | "selection" | "options" | "theme" | "trails" | "run";
export interface Selection { kind: "body" | "joint" | "constraint" | "force" | "measure"; name: string }
type Vec = [number, number, number];
/** Of a point on a body; of a frame with its axes. */
export interface Trail { body: string; at: Vec; x?: Vec; z?: Vec; label: string }

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export class State {
  readonly begin: number;
  readonly end: number;
  time: number;
  playing = false;
  speed = 1;
  loop = true;
  strobe = false;
  reactions = false;
  forces = false;
  weights = false;
  arrowScale = 1;
  names = false;
  placingTrail = false;
  trails: Trail[] = [];
  selection: Selection | null = null;
  run: Run;  // of several: the one whose joints, loads and reactions are shown
  private readonly listeners = new Map<Topic, (() => void)[]>();

  constructor(readonly runs: Run[]) {
    this.run = runs[0];
    const moving = runs.filter((run) => run.frameTimes.length > 0);
    const ends = moving.length > 0
      ? moving.map((run) => [run.frameTimes[0], run.frameTimes[run.frameTimes.length - 1]])
      : runs.filter((run) => run.json.points > 0).map((run) => [run.times[0], run.times[run.times.length - 1]]);
    this.begin = ends.length > 0 ? Math.min(...ends.map((each) => each[0])) : 0;
    this.end = ends.length > 0 ? Math.max(...ends.map((each) => each[1])) : 0;
    this.time = this.begin;
    if (this.end - this.begin < 3) this.speed = this.end - this.begin < 0.6 ? 0.1 : 0.25;
  }

  on(topic: Topic, act: () => void) { this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), act]); }
  tell(topic: Topic) { for (const act of this.listeners.get(topic) ?? []) act(); }

  setTime(t: number) {
    this.time = Math.min(this.end, Math.max(this.begin, t));
    this.tell("time");
  }
  setPlaying(playing: boolean) {
    if (playing && this.time >= this.end && !this.loop) this.setTime(this.begin);
    this.playing = playing;
    this.tell("playing");
  }
  select(selection: Selection | null) {
    const same = selection && this.selection && selection.name === this.selection.name && selection.kind === this.selection.kind;
    this.selection = same ? null : selection;
    this.tell("selection");
  }

  chooseRun(run: Run) {
    this.run = run;
    this.tell("run");
  }

  /** Adds a trail, or takes it away if it is there. */
  toggleTrail(trail: Trail) {
    const same = (each: Trail) => each.label === trail.label && each.body === trail.body && each.at.every((x, k) => x === trail.at[k]);
    this.trails = this.trails.some(same) ? this.trails.filter((each) => !same(each)) : [...this.trails, trail];
    this.tell("trails");
  }

  /** Moves time on by so many seconds of the clock. */
  advance(seconds: number) {
    let next = this.time + seconds * this.speed;
    if (next >= this.end) {
      if (!this.loop) { this.setTime(this.end); this.setPlaying(false); return; }
      const span = this.end - this.begin;
      next = span > 0 ? this.begin + ((next - this.begin) % span) : this.begin;
    }
    this.setTime(next);
  }
}

/** Colours that keep apart, on light and on dark: beyond the first eight each was chosen as far as can be from all before
    it, for eyes that see red and green weakly, too. */
const PALETTE = [
  "#3b78c9", "#e0812a", "#3f9e68", "#c25584", "#8265c4", "#1c9bb0", "#b08a2c", "#cc5249",
  "#99adf7", "#97bd95", "#9d2288", "#8b5002", "#2d6d5f", "#5248c7", "#f7619a", "#8ec620",
  "#af71f2", "#bb1f54", "#39bcc3", "#076798", "#45841a", "#cf7acd", "#ed7470", "#e2a263",
];
export const colour = (index: number) => PALETTE[index % PALETTE.length];

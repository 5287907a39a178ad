// The stroboscopic view: where the bodies of a run were, ever fainter.

import type { Scene } from "three";
import { Actors, type ActorLook } from "./actors";
import type { Run } from "./data";
import { reachOf } from "./shapes";
import type { State } from "./state";

const COPIES = 14;

export class Strobe {
  private copies: { actors: Actors; age: number }[] | null = null;
  private every = 0;

  constructor(private readonly state: State, private readonly run: Run, private readonly first: Actors, private readonly scene: Scene,
              private readonly thickness: number, private readonly colourOf: ActorLook["colourOf"]) {}

  /** Copies so far apart in time that the fastest body moves by a third of its size between two of them. */
  private makeCopies() {
    const { run } = this;
    const times = run.frameTimes;
    const count = Math.min(times.length, 2000);
    const bodies = run.scene!.bodies.length;
    let longest = 0;
    for (let body = 0; body < bodies; body += Math.max(1, Math.floor(bodies / 12))) {
      const path = this.first.path(body, [0, 0, 0], count);
      let length = 0;
      for (let k = 3; k < path.length; k += 3) length += Math.hypot(path[k] - path[k - 3], path[k + 1] - path[k - 2], path[k + 2] - path[k - 1]);
      longest = Math.max(longest, length);
    }
    const span = times[count - 1] - times[0];
    const reach = Math.max(...run.scene!.bodies.map((_, body) => reachOf(run.scene!, body)));
    this.every = longest > 0 ? (0.35 * reach * span) / longest : span / COPIES;
    const number = bodies > 60 ? 4 : COPIES;
    this.copies = [];
    for (let age = 1; age <= number; ++age) {
      const copy = new Actors(run, 0.6 * this.thickness, { colourOf: this.colourOf, opacity: 0.42 * (1 - age / (number + 2)) });
      copy.group.traverse((part) => { part.userData = {}; });
      this.scene.add(copy.group);
      this.copies.push({ actors: copy, age });
    }
  }

  remove() {
    for (const { actors } of this.copies ?? []) this.scene.remove(actors.group);
  }

  update() {
    if (this.state.strobe && !this.copies) this.makeCopies();
    for (const { actors, age } of this.copies ?? []) {
      const t = this.state.time - age * this.every;
      actors.group.visible = this.state.strobe && t >= this.state.begin;
      if (actors.group.visible) actors.moveTo(t);
    }
  }
}

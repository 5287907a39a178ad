// Forces as straight arrows and torques as arcs with a head: reactions of joints, applied forces, weights; of one run,
// out of its recorded columns. All forces have one scale, and all torques have one, so that they can be compared.

import {
  Color, ConeGeometry, CylinderGeometry, GreaterDepth, Group, Mesh, MeshBasicMaterial, TorusGeometry, Vector3, type BufferGeometry, type Object3D,
} from "three";
import type { Actors } from "./actors";
import { valueAt, type Element, type Frame, type Numbers, type Run, type Track } from "./data";
import { vec } from "./shapes";
import type { State } from "./state";

export type LoadKind = "reactions" | "forces" | "weights";
const KINDS: LoadKind[] = ["reactions", "forces", "weights"];
const MAX_ARROWS = 400;  // of each kind
const UP = new Vector3(0, 1, 0);
const SMALL = 0.004;  // of the scene: what is shorter is not drawn
const LARGE = 0.5;
const NOISE = 1e-9;    // of the largest load of the scene: what is below is round-off, and not drawn

/** A colour that is faint where something stands before it: arrows begin inside of bodies. */
class Look {
  private readonly clear = new MeshBasicMaterial();
  private readonly faint = new MeshBasicMaterial({ transparent: true, opacity: 0.4, depthFunc: GreaterDepth, depthWrite: false });

  set colour(colour: string) {
    this.clear.color = new Color(colour);
    this.faint.color = new Color(colour);
  }
  cover(geometry: BufferGeometry): Object3D {
    return new Group().add(new Mesh(geometry, this.clear), new Mesh(geometry, this.faint));
  }
}

/** Any length along its own y. */
class Arrow extends Group {
  private readonly shaft: Object3D;
  private readonly head: Object3D;
  constructor(private readonly thickness: number, look: Look) {
    super();
    this.shaft = look.cover(new CylinderGeometry(0.3 * thickness, 0.3 * thickness, 1, 10));
    this.head = look.cover(new ConeGeometry(thickness, 1, 16));
    this.add(this.shaft, this.head);
  }
  setSize(length: number) {
    const head = Math.min(2.6 * this.thickness, 0.6 * length);
    this.shaft.scale.y = length - head;
    this.shaft.position.y = (length - head) / 2;
    this.head.scale.y = head;
    this.head.position.y = length - head / 2;
  }
}

/** Three quarters of a turn about its own y, of any radius. */
class Arc extends Group {
  private readonly ring: Object3D;
  private readonly head: Object3D;
  constructor(private readonly thickness: number, look: Look) {
    super();
    this.ring = look.cover(new TorusGeometry(1, 0.06, 8, 40, 1.5 * Math.PI));
    this.ring.rotation.x = -Math.PI / 2;  // its axis z becomes y
    // The ring ends at 3π/2 about y: there it is at +z, and the way on is along +x.
    this.head = look.cover(new ConeGeometry(1, 2.4, 16));
    this.head.quaternion.setFromUnitVectors(UP, new Vector3(1, 0, 0));
    this.add(this.ring, this.head);
  }
  setSize(radius: number) {
    this.ring.scale.setScalar(radius);
    this.head.scale.setScalar(Math.min(this.thickness, 0.3 * radius));
    this.head.position.z = radius;
  }
}

interface Load {
  kind: LoadKind; torque: boolean; mark: Arrow | Arc; tracks: Track[];
  largest: number;  // at any time
  /** Sets place and vector of the load now. */
  find: (t: number, at: Vector3, vector: Vector3) => void;
}

/** `constant`: the size of a load that has no columns. */
type Add = (kind: LoadKind, torque: boolean, tracks: (Track | null)[], find: Load["find"], constant?: number) => void;

export class Loads {
  readonly group = new Group();
  private readonly looks: Record<LoadKind, Look> = { reactions: new Look(), forces: new Look(), weights: new Look() };
  private loads: Load[] | null = null;
  private unitForce = 0;   // metres of an arrow per newton
  private unitTorque = 0;  // metres of radius per newton metre
  private noise = 0;       // newtons; times the size of the scene, newton metres
  private readonly at = new Vector3();
  private readonly vector = new Vector3();

  constructor(private readonly state: State, private readonly run: Run, private readonly actors: Actors,
              private readonly thickness: number, private readonly size: number) {}

  setColours(dark: boolean) {
    this.looks.reactions.colour = dark ? "#ff8f7f" : "#c0392b";
    this.looks.forces.colour = dark ? "#6fd39b" : "#1d7f4c";
    this.looks.weights.colour = dark ? "#b9a5f2" : "#6a4fb3";
  }

  /** Which kinds this run has anything of. */
  static kindsOf(run: Run): Record<LoadKind, boolean> {
    const scene = run.scene!;
    const has = (name: string) => run.find(name) > 0;
    const acts = (each: Element) => has(`${each.name}.force`) || has(`${each.name}.torque`) || ["force.x", "force.y", "torque.z"].some((part) => has(`${each.name}.${part}`));
    return {
      reactions: scene.elements.some((each) => (each.kind === "joint" || each.kind === "constraint") && (has(`${each.name}.force.x`) || has(`${each.name}.torque.z`))),
      forces: scene.elements.some((each) => (each.kind === "force" || each.of !== "") && acts(each)),
      weights: vec(scene.gravity).length() > 0,
    };
  }

  get shown() { return KINDS.some((kind) => this.state[kind]); }

  /** Newtons and newton metres of what is shown and that many metres long; 0: there are none. */
  scaleOf(metres: number): { force: number; torque: number } {
    const factor = this.state.arrowScale;
    const any = (torque: boolean) => this.loads?.some((each) => each.torque === torque && this.state[each.kind]) ?? false;
    return {
      force: this.unitForce > 0 && any(false) ? metres / (this.unitForce * factor) : 0,
      torque: this.unitTorque > 0 && any(true) ? metres / (this.unitTorque * factor) : 0,
    };
  }

  update(t: number) {
    if (!this.shown && !this.loads) return;
    for (const { kind, torque, mark, find } of this.loads ??= this.collect()) {
      mark.visible = this.state[kind];
      if (!mark.visible) continue;
      find(t, this.at, this.vector);
      const length = this.vector.length() * (torque ? this.unitTorque : this.unitForce) * this.state.arrowScale;
      mark.visible = length > SMALL * this.size && this.vector.length() > this.noiseOf(torque);
      if (!mark.visible) continue;
      mark.position.copy(this.at);
      mark.quaternion.setFromUnitVectors(UP, this.vector.normalize());
      mark.setSize(Math.min(length, LARGE * this.size));
    }
  }

  private noiseOf(torque: boolean) { return torque ? this.noise * this.size : this.noise; }

  private collect(): Load[] {
    const found: Load[] = [];
    const add: Add = (kind, torque, tracks, find, constant = 0) => {
      if (found.filter((each) => each.kind === kind).length >= MAX_ARROWS) return;
      const mark = torque ? new Arc(1.1 * this.thickness, this.looks[kind]) : new Arrow(1.1 * this.thickness, this.looks[kind]);
      const own = tracks.filter((each): each is Track => each !== null);
      found.push({ kind, torque, mark, tracks: own, largest: Math.max(constant, ...own.map(({ values }) => largestSize(values))), find });
    };
    const scene = this.run.scene!;
    for (const element of scene.elements) {
      if (element.kind === "measure") continue;
      const kind = element.kind === "force" ? "forces" : "reactions";
      if (element.frames.length > 0) this.addVectors(element, kind, add);
      this.addScalar(element, add);
    }
    const gravity = vec(scene.gravity);
    if (gravity.length() > 0) scene.bodies.forEach((body, k) => {
      add("weights", false, [], (_, at, vector) => {
        at.copy(this.actors.bodies[k].position);
        vector.copy(gravity).multiplyScalar(body.mass);
      }, body.mass * gravity.length());
    });
    this.noise = NOISE * Math.max(0, ...found.map((each) => each.largest / (each.torque ? this.size : 1)));
    const loads = found.filter((each) => each.largest > this.noiseOf(each.torque));
    for (const { mark } of loads) this.group.add(mark);
    this.unitForce = this.findUnit(loads, false, this.size / 6);
    this.unitTorque = this.findUnit(loads, true, this.size / 16);
    return loads;
  }

  /** Metres per newton, or per newton metre, so that the largest of typical loads has that length. Weights count if
      there is nothing else, and so do peaks. */
  private findUnit(loads: Load[], torque: boolean, length: number): number {
    const own = loads.filter((each) => each.torque === torque);
    const typical = Math.max(0, ...own.flatMap((each) => each.tracks.map(({ values }) => typicalSize(values))));
    const size = typical > this.noiseOf(torque) ? typical : Math.max(0, ...own.map((each) => each.largest));
    return size > 0 ? length / size : 0;
  }

  /** Columns NAME.force.x and so on: at the last frame; a force between two bodies acts on the first one, too. */
  private addVectors(element: Element, kind: LoadKind, add: Add) {
    const last = element.frames[element.frames.length - 1];
    for (const part of ["force", "torque"]) {
      const parts = ["x", "y", "z"].map((axis) => this.run.track(`${element.name}.${part}.${axis}`));
      if (parts.every((each) => each === null)) continue;
      const ends: [Frame, number][] = [[last, 1]];
      if (kind === "forces" && element.frames.length === 2) ends.push([element.frames[0], -1]);
      for (const [frame, sign] of ends) {
        if (frame.body < 0 && sign < 0) continue;
        add(kind, part === "torque", parts, (t, at, vector) => {
          this.actors.place(frame, at);
          vector.set(...(parts.map((each) => (each ? sign * valueAt(each, t) : 0)) as [number, number, number]));
        });
      }
    }
  }

  /** A column NAME.force or NAME.torque: along the line between two points, or along a joint's coordinate. */
  private addScalar(element: Element, add: Add) {
    const scene = this.run.scene!;
    for (const part of ["force", "torque"]) {
      const track = this.run.track(`${element.name}.${part}`);
      if (!track) continue;
      const torque = part === "torque";
      if (element.frames.length === 2 && !torque) {
        const [a, b] = element.frames;
        const far = new Vector3();
        for (const [here, there] of [[a, b], [b, a]]) {
          if (here.body < 0) continue;
          add("forces", false, [track], (t, at, vector) => {
            this.actors.place(here, at);
            vector.copy(at).sub(this.actors.place(there, far)).normalize().multiplyScalar(valueAt(track, t));
          });
        }
        continue;
      }
      const joint = scene.elements.find((each) => each.kind === "joint" && each.name === element.of.split(".")[0]);
      if (!joint || joint.frames.length === 0) continue;
      if (torque ? joint.turns !== 1 : vec(joint.slide).length() < 0.5) continue;  // the axis is not known
      const [first] = joint.frames;
      const last = joint.frames[joint.frames.length - 1];
      const axis = vec(first.z);
      if (!torque) {
        const [x, y] = [vec(first.x), vec(first.z).cross(vec(first.x))];
        axis.multiplyScalar(joint.slide[2]).addScaledVector(x, joint.slide[0]).addScaledVector(y, joint.slide[1]);
      }
      add("forces", torque, [track], (t, at, vector) => {
        this.actors.place(last, at);
        this.actors.turn(first, [axis.x, axis.y, axis.z], vector).multiplyScalar(valueAt(track, t));
      });
    }
  }
}

function largestSize(values: Numbers): number {
  let size = 0;
  for (let k = 0; k < values.length; ++k) if (Number.isFinite(values[k])) size = Math.max(size, Math.abs(values[k]));
  return size;
}

/** The size that 9 of 10 values stay below: a few peaks must not shrink all the others. */
function typicalSize(values: Numbers): number {
  const step = Math.max(1, Math.floor(values.length / 500));
  const sizes: number[] = [];
  for (let k = 0; k < values.length; k += step) if (Number.isFinite(values[k])) sizes.push(Math.abs(values[k]));
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.9 * (sizes.length - 1))] ?? 0;
}

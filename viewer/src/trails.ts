// Paths of points and frames on bodies, of every run that has the body.

import { GreaterDepth, Group, Matrix4, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import type { Actors } from "./actors";
import { findBefore, type Body, type SceneData, type Vec } from "./data";
import { vec } from "./shapes";
import { colour, type Selection, type State, type Trail } from "./state";
import { makeInk, Stroke } from "./strokes";

const WIDTH = 2;  // pixels
/** What a body hides is seen through it, fainter. */
const HIDDEN = { depthFunc: GreaterDepth, depthWrite: false, transparent: true, opacity: 0.45 } as const;
const AXES: [string, Vec][] = [["#d0453f", [1, 0, 0]], ["#3c9a4a", [0, 1, 0]], ["#3f74d1", [0, 0, 1]]];

/** What can be followed by its name. */
export interface Named { kind: "point" | "frame"; label: string; hint: string; trail: Trail }

/** Hardpoints, points that are measured, and frames of bodies. */
export function listNamed(scene: SceneData): Named[] {
  const list: Named[] = [];
  const seen = new Set<string>();
  const add = (kind: Named["kind"], label: string, body: Body, at: Vec, x?: Vec, z?: Vec) => {
    if (seen.has(label)) return;  // a joint's point is on both its bodies
    seen.add(label);
    list.push({ kind, label, hint: `${kind} ${label} on ${body.name}: draw its path`, trail: { body: body.name, at, x, z, label } });
  };
  for (const body of scene.bodies) for (const mark of body.marks) {
    if (!mark.frame) add("point", mark.name, body, mark.at);
  }
  for (const element of scene.elements) {
    if (element.kind !== "measure" || element.frames.length !== 1 || element.frames[0].body < 0) continue;
    add("point", element.name, scene.bodies[element.frames[0].body], element.frames[0].at);
  }
  for (const body of scene.bodies) for (const mark of body.marks) {
    if (mark.frame) add("frame", `${body.name}.${mark.name}`, body, mark.at, mark.x, mark.z);
  }
  return list;
}

/** The trail of a joint, or of a body's mass centre. */
export function trailOf(selection: Selection, scene: SceneData): Trail | null {
  if (selection.kind === "body") return { body: selection.name, at: [0, 0, 0], label: selection.name };
  const frames = scene.elements.find((each) => each.name === selection.name)?.frames ?? [];
  const frame = frames.slice().reverse().find((each) => each.body >= 0);
  return frame ? { body: scene.bodies[frame.body].name, at: frame.at, label: selection.name } : null;
}

interface Drawn { trail: Trail; actors: Actors; body: number; line: Stroke; veil: Line2; head: Group }

export class Trails {
  readonly group = new Group();
  private drawn: Drawn[] = [];

  constructor(private readonly state: State, private readonly actors: Actors[], private readonly thickness: number) {}

  colourOf(trail: Trail) { return colour(this.state.trails.indexOf(trail) + 3); }

  rebuild() {
    for (const { line, veil } of this.drawn) { line.geometry.dispose(); line.material.dispose(); veil.material.dispose(); }
    this.group.clear();
    this.drawn = [];
    for (const trail of this.state.trails) for (const actors of this.actors) {
      const body = actors.run.scene!.bodies.findIndex((each) => each.name === trail.body);
      if (body < 0) continue;
      const tint = this.actors.length > 1 ? colour(actors.run.index) : this.colourOf(trail);
      const path = actors.path(body, trail.at);
      const line = new Stroke(path.length > 3 ? path : new Float32Array([...path, ...path]), makeInk(WIDTH, tint));
      const veil = new Line2(line.geometry, Object.assign(makeInk(WIDTH, tint), HIDDEN));
      veil.frustumCulled = false;
      veil.renderOrder = 1;
      const head = this.makeHead(trail, tint);
      this.drawn.push({ trail, actors, body, line, veil, head });
      this.group.add(line, veil, head);
    }
  }

  /** A dot where the point is; of a frame its axes, too. */
  private makeHead(trail: Trail, tint: string): Group {
    const head = new Group();
    const ball = new SphereGeometry(0.8 * this.thickness, 16, 12);
    const veil = new Mesh(ball, new MeshBasicMaterial({ color: tint, ...HIDDEN }));
    veil.renderOrder = 1;
    head.add(new Mesh(ball, new MeshBasicMaterial({ color: tint })), veil);
    if (trail.x && trail.z) {
      const axes = new Group();
      for (const [hue, end] of AXES) axes.add(new Stroke([new Vector3(), vec(end).multiplyScalar(6 * this.thickness)], makeInk(WIDTH, hue)));
      const x = vec(trail.x), z = vec(trail.z);
      axes.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(x, z.clone().cross(x), z));
      head.add(axes);
    }
    return head;
  }

  update(time: number) {
    const at = new Vector3();
    for (const { trail, actors, body, line, veil, head } of this.drawn) {
      line.showFirst(findBefore(actors.run.frameTimes, time) + 1);
      head.position.copy(actors.place({ body, at: trail.at }, at));
      head.quaternion.copy(actors.bodies[body].quaternion);
      head.visible = line.visible = veil.visible = actors.group.visible;
    }
  }
}

// Stops: blocks of rubber where a joint's coordinate has its limits. They stand on the joint's first body, where the second
// one meets them, and give way as far as it goes beyond.

import { CylinderGeometry, Group, Material, Mesh, Object3D, Quaternion, Vector3 } from "three";
import type { Actors } from "./actors";
import { POSE, type Element, type Frame, type Run, type SceneData } from "./data";
import { outlineOf, vec } from "./shapes";

const UP = new Vector3(0, 1, 0);
const LENGTH = 3, PLATE = 0.8, RADIUS = 1.9;  // times the thickness of bars
const LEAST = 0.25;                           // of its length a block keeps
const PUSH = 1.1;                             // half a bar's width: what turns meets its stop beside its middle

/** A block in the axes of the joint's first body: it begins at `face` and goes along `away`. */
interface Buffer { element: Element; joint: Element; face: Vector3; away: Vector3; limit: number; sign: number; arm: number }

const axesOf = ({ x, z }: Frame) => ({ x: vec(x), y: vec(z).cross(vec(x)), z: vec(z) });
const along = ({ x, y, z }: ReturnType<typeof axesOf>, [a, b, c]: number[]) =>
  new Vector3().addScaledVector(x, a).addScaledVector(y, b).addScaledVector(z, c);

/** Points of the second body as the joint's second frame sees them. */
function outlineSeen(scene: SceneData, frame: Frame, thickness: number): Vector3[] {
  if (frame.body < 0) return [];
  const { x, y, z } = axesOf(frame);
  return outlineOf(scene, frame.body, thickness).map((point) => {
    const from = point.clone().sub(vec(frame.at));
    return new Vector3(from.dot(x), from.dot(y), from.dot(z));
  });
}

/** Of a stop on a joint that slides or turns; nothing of one on another measure. */
export function listBuffers(scene: SceneData, thickness: number): Buffer[] {
  const list: Buffer[] = [];
  for (const element of scene.elements) {
    if (element.type !== "stop") continue;
    const dot = element.of.lastIndexOf(".");
    const joint = scene.elements.find((each) => each.kind === "joint" && each.name === element.of.slice(0, dot));
    if (!joint || joint.frames.length !== 2) continue;
    const what = element.of.slice(dot + 1), axes = axesOf(joint.frames[0]), at = vec(joint.frames[0].at);
    const seen = outlineSeen(scene, joint.frames[1], thickness);
    for (const [limit, sign] of [[element.low, -1], [element.high, 1]] as const) {
      if (limit === undefined) continue;
      if (what === "position" && vec(joint.slide).length() > 0.5) {
        const slide = vec(joint.slide);
        const reach = Math.max(1.7 * thickness, ...seen.map((point) => sign * point.dot(slide)));
        const away = along(axes, joint.slide).multiplyScalar(sign);
        const face = at.clone().addScaledVector(away, sign * limit + reach);
        list.push({ element, joint, face, away, limit, sign, arm: 0 });
      } else if (what === "angle" && joint.turns === 1) {
        const tip = seen.reduce((far, point) => (Math.hypot(point.x, point.y) > Math.hypot(far.x, far.y) ? point : far), new Vector3(1e-9, 0, 0));
        const arm = Math.max(Math.min(0.45 * Math.hypot(tip.x, tip.y), 12 * thickness), 4 * thickness);
        const angle = limit + Math.atan2(tip.y, tip.x);
        const away = along(axes, [-Math.sin(angle), Math.cos(angle), 0]).multiplyScalar(sign);
        const face = at.clone().add(along(axes, [arm * Math.cos(angle), arm * Math.sin(angle), 0])).addScaledVector(away, PUSH * thickness);
        list.push({ element, joint, face, away, limit, sign, arm });
      }
    }
  }
  return list;
}

/** Ends of what stands on the ground, or on a body at the start, in the world. */
export function outlineOfBuffers(run: Run, thickness: number): Vector3[] {
  const scene = run.scene!;
  const poses = new Float64Array(scene.bodies.length * POSE);
  run.posesAt(run.frameTimes[0], poses);
  return listBuffers(scene, thickness).map(({ joint, face, away }) => {
    const end = face.clone().addScaledVector(away, (LENGTH + PLATE) * thickness);
    const body = joint.frames[0].body, o = body * POSE;
    if (body < 0) return end;
    return end.applyQuaternion(new Quaternion(poses[o + 3], poses[o + 4], poses[o + 5], poses[o + 6])).add(new Vector3(poses[o], poses[o + 1], poses[o + 2]));
  });
}

export class Buffers {
  readonly group = new Group();
  private readonly drawn: { buffer: Buffer; holder: Object3D; block: Mesh }[] = [];

  constructor(scene: SceneData, private readonly actors: Actors, private readonly thickness: number, rubber: Material, ground: Material) {
    for (const buffer of listBuffers(scene, thickness)) {
      const block = new Mesh(new CylinderGeometry(RADIUS * thickness, RADIUS * thickness, 1, 28), rubber);
      const plate = new Mesh(new CylinderGeometry(1.5 * RADIUS * thickness, 1.5 * RADIUS * thickness, PLATE * thickness, 28), ground);
      plate.position.y = (LENGTH + PLATE / 2) * thickness;
      const holder = new Group();
      holder.add(block, plate);
      holder.traverse((part) => { part.userData = { kind: "force", name: buffer.element.name }; });
      this.drawn.push({ buffer, holder, block });
      this.group.add(holder);
    }
  }

  update() {
    const { thickness, actors } = this;
    const whole = LENGTH * thickness;
    for (const { buffer, holder, block } of this.drawn) {
      const frame = buffer.joint.frames[0];
      actors.place({ body: frame.body, at: buffer.face.toArray() }, holder.position);
      holder.quaternion.setFromUnitVectors(UP, actors.turn(frame, buffer.away.toArray()));
      const length = Math.max(whole - Math.max(this.depthOf(buffer), 0), LEAST * whole);
      block.scale.y = length;
      block.position.y = whole - length / 2;
    }
  }

  /** How far the joint is beyond the limit now, in metres. */
  private depthOf({ joint, limit, sign, arm }: Buffer): number {
    const { actors } = this;
    const [first, second] = joint.frames;
    const { x, y, z } = { x: actors.turn(first, first.x), z: actors.turn(first, first.z), y: new Vector3() };
    y.copy(z).cross(x);
    if (arm === 0) {
      const gap = actors.place(second).sub(actors.place(first));
      const slide = along({ x, y, z }, joint.slide);
      return sign * (gap.dot(slide) - limit);
    }
    const turned = actors.turn(second, second.x);
    const beyond = Math.atan2(turned.dot(y), turned.dot(x)) - limit;
    return sign * arm * Math.atan2(Math.sin(beyond), Math.cos(beyond));
  }

  find(name: string): Vector3 | null {
    return this.drawn.find(({ buffer }) => buffer.element.name === name)?.holder.position.clone() ?? null;
  }
}

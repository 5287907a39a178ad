// What belongs to no single body: joints, guides, springs, belts, of one run.

import {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, Group, Line, LineBasicMaterial, Matrix4, Mesh, MeshLambertMaterial, Object3D,
  Quaternion, Vector3,
} from "three";
import type { Actors } from "./actors";
import { Buffers } from "./buffers";
import { POSE, type Element, type Frame, type Run, type Vec } from "./data";
import { isPin, makeFoot, makeFork, makeJoint, poleOf, slotPoints, springPoints, thinForJoints, vec, Wire, type Foot } from "./shapes";
import { makeInk, Stroke } from "./strokes";

interface Hub { element: Element; mark: Object3D; at: number; axes: number }  // at and along which of its frames
interface Belt { element: Element; strands: Mesh[] }
interface Spring { element: Element; line: Line; wire: Wire; positions: Float32Array }
interface Link { element: Element; line: Stroke; rod: Mesh | null }

const SPRING_POINTS = 121;
const GUIDE = 2;  // pixels: the width of lines that stand for guides, slots and links
const UP = new Vector3(0, 1, 0);

/** What holds an element on the ground: below joints; of a spring or a link on the side away from it. */
export interface Mount extends Foot { element: Element }

export function listMounts(run: Run, thickness: number, down: Vector3): Mount[] {
  const scene = run.scene!;
  const mounts: Mount[] = [];
  const poses = new Float64Array(scene.bodies.length * POSE);
  run.posesAt(run.frameTimes[0], poses);
  for (const element of scene.elements) {
    if (!isMounted(element)) continue;
    const onGround = element.frames.find((frame) => frame.body < 0);
    const other = element.frames.find((frame) => frame.body >= 0);
    if (!onGround || !other) continue;
    const at = vec(onGround.at);
    if (mounts.some((mount) => mount.at.distanceTo(at) < 0.1 * thickness)) continue;
    const away = at.clone().sub(placeOf(other, poses));
    const apart = element.kind !== "joint" && away.length() > thickness;
    const pole = element.kind === "joint" ? poleOf(scene.bodies[other.body], vec(other.at), turnBack(down, other.body, poses), thickness) : 0;
    mounts.push({ element, at, down: apart ? alongAnAxis(away) : down, pole });
  }
  return mounts;
}

/** Guides, and what pulls from afar, have none. */
function isMounted({ kind, type, frames, slide }: Element): boolean {
  if (frames.length !== 2) return false;
  if (kind === "joint") return type !== "free" && type !== "planar" && vec(slide).length() < 0.5;
  return (kind === "force" && type !== "attraction") || (kind === "constraint" && type === "distance");
}

const attitudeOf = (body: number, poses: Float64Array) => new Quaternion(...poses.slice(body * POSE + 3, body * POSE + 7));
const turnBack = (direction: Vector3, body: number, poses: Float64Array) => direction.clone().applyQuaternion(attitudeOf(body, poses).invert());

function placeOf({ body, at }: Frame, poses: Float64Array): Vector3 {
  const o = body * POSE;
  return vec(at).applyQuaternion(attitudeOf(body, poses)).add(new Vector3(poses[o], poses[o + 1], poses[o + 2]));
}

/** As a floor, a wall or a ceiling lies. */
function alongAnAxis({ x, y, z }: Vector3): Vector3 {
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (Math.abs(y) === largest) return new Vector3(0, Math.sign(y), 0);
  return Math.abs(x) === largest ? new Vector3(Math.sign(x), 0, 0) : new Vector3(0, 0, Math.sign(z));
}

export class Fittings {
  readonly group = new Group();
  readonly joints = new MeshLambertMaterial();
  readonly ground = new MeshLambertMaterial();
  readonly guide = makeInk(GUIDE);
  readonly rods = new MeshLambertMaterial();
  readonly spring = new LineBasicMaterial();
  readonly rubber = new MeshLambertMaterial();
  private readonly hubs: Hub[] = [];
  private readonly springs: Spring[] = [];
  private readonly links: Link[] = [];
  private readonly belts: Belt[] = [];
  private readonly buffers: Buffers;
  private readonly matrix = new Matrix4();
  private readonly thin: number;  // of joints

  constructor(private readonly run: Run, private readonly actors: Actors, private readonly thickness: number,
              private readonly size: number, down: Vector3) {
    const scene = run.scene!;
    this.thin = thinForJoints(scene, thickness);
    for (const element of scene.elements) {
      if (element.pulleys?.length === 2) this.addBelt(element);
      if (element.kind === "measure" || element.frames.length === 0) continue;
      if (element.type === "attraction") this.addLink(element);
      else if (element.type === "bushing") this.addBushing(element);
      else if (element.kind === "force") this.addForce(element, scene.plane);
      else if (element.kind === "joint" || element.type === "point_on_line") this.addJoint(element, scene.plane);
      else if (element.frames.length === 2 && !element.type.startsWith("rolling")) this.addLink(element);
    }
    this.buffers = new Buffers(scene, actors, thickness, this.rubber, this.ground);
    this.group.add(this.buffers.group);
    for (const mount of listMounts(run, thickness, down)) {
      this.group.add(tag(makeFoot(mount, thickness, this.ground), { kind: mount.element.kind, name: mount.element.name }));
    }
  }

  setColours(dark: boolean) {
    this.joints.color = new Color(dark ? "#c9d3df" : "#2b3746");
    this.ground.color = new Color(dark ? "#536276" : "#aeb9c7");
    this.guide.color = new Color(dark ? "#6b798b" : "#929eac");
    this.spring.color = new Color(dark ? "#e0b25c" : "#96610a");
    this.rods.color = new Color(dark ? "#8494a8" : "#7d8b9c");
    this.rubber.color = this.spring.color;
  }

  private addJoint(element: Element, plane: boolean) {
    if (element.type === "free") return;
    const onLine = element.type === "point_on_line";
    const pin = isPin(element);
    const slides = onLine || vec(element.slide).length() > 0.5;
    const mark = tag(makeJoint(element, this.thin, plane, this.joints), { kind: element.kind, name: element.name });
    this.hubs.push({ element, mark, at: slides ? element.frames.length - 1 : 0, axes: 0 });
    this.group.add(mark);
    if (element.type === "universal") this.addForks(element);
    const slide: Vec = onLine ? (plane ? [1, 0, 0] : [0, 0, 1]) : element.slide;
    if (vec(slide).length() < 0.5) return;
    if (pin) this.addSlot(element, plane);
    else if (element.frames[0].body < 0) this.addGuide(element.frames[0], slide);
  }

  /** A line on the ground, without ends. */
  private addGuide(frame: Frame, slide: Vec) {
    const x = vec(frame.x), z = vec(frame.z), y = z.clone().cross(x);
    const axis = x.multiplyScalar(slide[0]).addScaledVector(y, slide[1]).addScaledVector(z, slide[2]);
    axis.multiplyScalar(0.75 * this.size);
    const from = vec(frame.at);
    this.group.add(tag(new Stroke([from.clone().sub(axis), from.clone().add(axis)], this.guide), {}));
  }

  /** A slot as long as its pin needs in this run; it moves with the first body. */
  private addSlot(element: Element, plane: boolean) {
    let low = Infinity, high = -Infinity;
    for (const value of this.run.named(`${element.name}.position`) ?? []) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!(high - low < 3 * this.size)) [low, high] = [-0.5 * this.size, 0.5 * this.size];
    // Seen from above, the bodies would hide it.
    const points = slotPoints(vec(element.slide), low, high, 1.9 * this.thickness, plane ? 1.4 * this.thickness : 0);
    const mark = tag(new Stroke([...points, points[0]], this.guide), {});
    this.hubs.push({ element, mark, at: 0, axes: 0 });
    this.group.add(mark);
  }

  /** The pins are x of the first frame and y of the second; forks open away from what they belong to. */
  private addForks(element: Element) {
    element.frames.forEach((frame, k) => {
      const along = vec(frame.at).dot(vec(frame.z));
      const back = frame.body >= 0 && Math.abs(along) > this.thickness ? -Math.sign(along) : k === 0 ? -1 : 1;
      const mark = tag(makeFork(new Vector3(1 - k, k, 0), back, this.thin, this.joints), { kind: element.kind, name: element.name });
      this.hubs.push({ element, mark, at: k, axes: k });
      this.group.add(mark);
    });
  }

  /** A piece of rubber. */
  private addBushing(element: Element) {
    const mesh = new Mesh(new CylinderGeometry(2.4 * this.thickness, 2.4 * this.thickness, 3 * this.thickness, 36), this.rubber);
    mesh.quaternion.setFromUnitVectors(UP, new Vector3(0, 0, 1));
    const mark = new Group();
    mark.add(mesh);
    this.hubs.push({ element, mark: tag(mark, { kind: element.kind, name: element.name }), at: 0, axes: 0 });
    this.group.add(mark);
  }

  private addBelt(element: Element) {
    const strands = [0, 1].map(() => tag(new Mesh(new CylinderGeometry(1, 1, 1, 10), this.joints), { kind: element.kind, name: element.name }));
    this.belts.push({ element, strands });
    this.group.add(...strands);
  }

  /** Strands touch both wheels: about a with radius r and b with s they begin at a + r m, where m leans from the line of
      centres by the angle whose cosine is (r - s)/|b - a|; of a crossed belt s counts negative. */
  private moveBelt({ element, strands }: Belt) {
    const [first, second] = element.pulleys!;
    const a = this.actors.place(first.frame), b = this.actors.place(second.frame);
    const axis = this.actors.turn(first.frame, first.frame.z);
    const between = b.clone().sub(a).projectOnPlane(axis);
    const r = first.radius, s = element.crossed ? -second.radius : second.radius;
    const lean = (r - s) / between.length();
    strands.forEach((strand, k) => {
      strand.visible = Math.abs(lean) < 1;
      if (!strand.visible) return;
      const m = between.clone().normalize().applyAxisAngle(axis, (k === 0 ? 1 : -1) * Math.acos(lean));
      const from = a.clone().addScaledVector(m, r), to = b.clone().addScaledVector(m, s);
      stretch(strand, from, to, 0.35 * this.thickness);
    });
  }

  private addForce(element: Element, plane: boolean) {
    if (element.frames.length !== 2) return;
    const positions = new Float32Array(3 * SPRING_POINTS);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    const line = tag(new Line(geometry, this.spring), { kind: "force", name: element.name }) as Line;
    line.frustumCulled = false;
    // The line is what can be pointed at, and what is left where the wire is thinner than a pixel.
    const wire = new Wire(SPRING_POINTS, 0.2 * this.thickness);
    const mesh = new Mesh(wire.geometry, this.rubber);
    mesh.frustumCulled = false;
    this.springs.push({ element, line, wire, positions });
    this.group.add(line, mesh);
    springPoints(new Vector3(), new Vector3(1, 0, 0), 1, plane, positions);
  }

  private addLink(element: Element) {
    const line = tag(new Stroke(new Float32Array(6), this.guide), { kind: element.kind, name: element.name });
    // A rod without mass is as stiff as any other.
    const rod = element.type === "distance" ? tag(new Mesh(new CylinderGeometry(1, 1, 1, 10), this.rods), { kind: element.kind, name: element.name }) : null;
    if (rod) this.group.add(rod);
    this.links.push({ element, line, rod });
    this.group.add(line);
  }

  update(plane: boolean) {
    const a = new Vector3(), b = new Vector3();
    this.belts.forEach((belt) => this.moveBelt(belt));
    this.buffers.update();
    for (const { element, mark, at, axes } of this.hubs) {
      this.actors.place(element.frames[at], mark.position);
      const z = this.actors.turn(element.frames[axes], element.frames[axes].z);
      const x = this.actors.turn(element.frames[axes], element.frames[axes].x);
      mark.quaternion.setFromRotationMatrix(this.matrix.makeBasis(x, z.clone().cross(x), z));
    }
    for (const { element, line, wire, positions } of this.springs) {
      this.actors.place(element.frames[0], a);
      this.actors.place(element.frames[1], b);
      springPoints(a, b, 1.9 * this.thickness, plane, positions);
      wire.follow(positions);
      line.geometry.getAttribute("position").needsUpdate = true;
      line.geometry.boundingSphere = null;  // where it was; pointing at it asks for a new one
    }
    for (const { element, line, rod } of this.links) {
      this.actors.place(element.frames[0], a);
      this.actors.place(element.frames[1], b);
      line.stretch(a, b);
      if (rod) stretch(rod, a, b, 0.35 * this.thickness);
    }
  }

  /** Where a joint is now; nothing if it has no place. */
  find(name: string): Vector3 | null {
    const element = this.run.scene!.elements.find((each) => each.name === name);
    if (element?.pulleys?.length) return this.actors.place(element.pulleys[0].frame);
    if (element?.type === "stop") return this.buffers.find(name);
    return element && element.frames.length > 0 ? this.actors.place(element.frames[element.frames.length - 1]) : null;
  }
}

/** Puts a cylinder of radius and height 1 between two points. */
function stretch(cylinder: Mesh, from: Vector3, to: Vector3, radius: number) {
  cylinder.position.copy(from).add(to).multiplyScalar(0.5);
  cylinder.scale.set(radius, Math.max(from.distanceTo(to), 1e-9), radius);
  cylinder.quaternion.setFromUnitVectors(UP, to.clone().sub(from).normalize());
}

function tag<T extends Object3D>(object: T, data: Record<string, unknown>): T {
  object.traverse((part) => { part.userData = data; });
  return object;
}

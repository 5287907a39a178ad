// What belongs to no single body: joints, guides, springs, reactions, of the first run.

import {
  ArrowHelper, BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshLambertMaterial, Object3D, Vector3,
} from "three";
import type { Actors } from "./actors";
import type { Element, Numbers, Run } from "./data";
import { makeFoot, makeJoint, springPoints, vec } from "./shapes";

interface Hub { element: Element; mark: Object3D }
interface Spring { element: Element; line: Line; positions: Float32Array }
interface Link { element: Element; line: LineSegments }
interface Reaction { element: Element; parts: (Numbers | null)[]; arrow: ArrowHelper }

const SPRING_POINTS = 121;
const MAX_ARROWS = 400;

export class Fittings {
  readonly group = new Group();
  readonly joints = new MeshLambertMaterial();
  readonly ground = new MeshLambertMaterial();
  readonly guide = new LineBasicMaterial({ transparent: true, opacity: 0.7 });
  readonly spring = new LineBasicMaterial();
  private readonly hubs: Hub[] = [];
  private readonly springs: Spring[] = [];
  private readonly links: Link[] = [];
  private reactions: Reaction[] | null = null;
  private reactionScale = 1;
  private readonly matrix = new Matrix4();

  constructor(private readonly run: Run, private readonly actors: Actors, private readonly thickness: number,
              private readonly size: number, down: Vector3) {
    const scene = run.scene!;
    const feet: Vector3[] = [];
    for (const element of scene.elements) {
      if (element.kind === "measure" || element.frames.length === 0) continue;
      if (element.kind === "force") this.addForce(element, scene.plane);
      else if (element.kind === "joint" || element.type === "point_on_line") this.addJoint(element, scene.plane);
      else if (element.frames.length === 2) this.addLink(element);
      if (element.kind !== "joint" || element.type === "free") continue;
      const onGround = element.frames.find((frame) => frame.body < 0);
      if (!onGround) continue;
      const at = vec(onGround.at);
      if (feet.some((other) => other.distanceTo(at) < 0.1 * thickness)) continue;
      feet.push(at);
      this.group.add(tag(makeFoot(at, down, thickness, this.ground), { kind: "joint", name: element.name }));
    }
  }

  setColours(dark: boolean) {
    this.joints.color = new Color(dark ? "#c9d3df" : "#2b3746");
    this.ground.color = new Color(dark ? "#536276" : "#aeb9c7");
    this.guide.color = new Color(dark ? "#8494a8" : "#7d8b9c");
    this.spring.color = new Color(dark ? "#e0b25c" : "#96610a");
    for (const { arrow } of this.reactions ?? []) arrow.setColor(dark ? "#ff9d8f" : "#c0392b");
  }

  private addJoint(element: Element, plane: boolean) {
    if (element.type === "free") return;
    const mark = tag(makeJoint(element, this.thickness, plane, this.joints), { kind: element.kind, name: element.name });
    this.hubs.push({ element, mark });
    this.group.add(mark);
    if (element.type !== "point_on_line" && element.type !== "prismatic") return;
    const frame = element.frames[0];
    if (frame.body >= 0) return;
    const axis = vec(plane ? frame.x : frame.z).multiplyScalar(0.75 * this.size);
    const from = vec(frame.at);
    const geometry = new BufferGeometry().setFromPoints([from.clone().sub(axis), from.clone().add(axis)]);
    this.group.add(tag(new Line(geometry, this.guide), {}));
  }

  private addForce(element: Element, plane: boolean) {
    if (element.frames.length !== 2) return;
    const positions = new Float32Array(3 * SPRING_POINTS);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    const line = tag(new Line(geometry, this.spring), { kind: "force", name: element.name }) as Line;
    line.frustumCulled = false;
    this.springs.push({ element, line, positions });
    this.group.add(line);
    springPoints(new Vector3(), new Vector3(1, 0, 0), 1, plane, positions);
  }

  private addLink(element: Element) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
    const line = tag(new LineSegments(geometry, this.guide), { kind: element.kind, name: element.name }) as LineSegments;
    line.frustumCulled = false;
    this.links.push({ element, line });
    this.group.add(line);
  }

  update(t: number, plane: boolean, reactions: boolean) {
    const a = new Vector3(), b = new Vector3();
    for (const { element, mark } of this.hubs) {
      const frame = element.frames[element.type === "point_on_line" ? element.frames.length - 1 : 0];
      this.actors.place(frame, mark.position);
      const z = this.actors.turn(element.frames[0], element.frames[0].z);
      const x = this.actors.turn(element.frames[0], element.frames[0].x);
      mark.quaternion.setFromRotationMatrix(this.matrix.makeBasis(x, z.clone().cross(x), z));
    }
    for (const { element, line, positions } of this.springs) {
      this.actors.place(element.frames[0], a);
      this.actors.place(element.frames[1], b);
      springPoints(a, b, 1.9 * this.thickness, plane, positions);
      line.geometry.getAttribute("position").needsUpdate = true;
    }
    for (const { element, line } of this.links) {
      const attribute = line.geometry.getAttribute("position") as BufferAttribute;
      this.actors.place(element.frames[0], a);
      this.actors.place(element.frames[1], b);
      attribute.setXYZ(0, a.x, a.y, a.z);
      attribute.setXYZ(1, b.x, b.y, b.z);
      attribute.needsUpdate = true;
    }
    this.showReactions(t, reactions);
  }

  /** Where a joint is now; nothing if it has no place. */
  find(name: string): Vector3 | null {
    const element = this.run.scene!.elements.find((each) => each.name === name);
    return element && element.frames.length > 0 ? this.actors.place(element.frames[element.frames.length - 1]) : null;
  }

  private showReactions(t: number, shown: boolean) {
    if (!shown && !this.reactions) return;
    const list = this.reactions ??= this.makeReactions();
    const force = new Vector3();
    for (const { element, parts, arrow } of list) {
      arrow.visible = shown;
      if (!shown) continue;
      force.set(...(parts.map((part) => (part ? this.run.valueAt(part, t) : 0)) as [number, number, number]));
      const length = force.length() * this.reactionScale;
      arrow.visible = length > 0.004 * this.size;
      if (!arrow.visible) continue;
      this.actors.place(element.frames[element.frames.length - 1], arrow.position);
      arrow.setDirection(force.normalize());
      arrow.setLength(Math.min(length, this.size), Math.min(0.3 * length, 4 * this.thickness), 2.2 * this.thickness);
    }
  }

  /** Arrows for what each joint exerts; the largest is a sixth of the scene long. */
  private makeReactions(): Reaction[] {
    const list: Reaction[] = [];
    let largest = 0;
    for (const element of this.run.scene!.elements) {
      if (list.length >= MAX_ARROWS || element.frames.length === 0) continue;
      if (element.kind !== "joint" && element.kind !== "constraint") continue;
      const parts = ["x", "y", "z"].map((axis) => this.run.named(`${element.name}.force.${axis}`));
      if (parts.every((part) => part === null)) continue;
      for (const part of parts) if (part) largest = Math.max(largest, typicalSize(part));
      const arrow = new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 1, "#c0392b");
      this.group.add(arrow);
      list.push({ element, parts, arrow });
    }
    this.reactionScale = largest > 0 ? this.size / 6 / largest : 0;
    const dark = document.documentElement.dataset.theme === "dark";
    for (const { arrow } of list) arrow.setColor(dark ? "#ff9d8f" : "#c0392b");
    return list;
  }
}

/** The size that 98 of 100 values stay below: one peak must not shrink all the others. */
function typicalSize(values: Numbers): number {
  const sizes = Array.from(values, Math.abs).filter(Number.isFinite).sort((a, b) => a - b);
  return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
}

function tag<T extends Object3D>(object: T, data: Record<string, unknown>): T {
  object.traverse((part) => { part.userData = data; });
  return object;
}

export type { Mesh };

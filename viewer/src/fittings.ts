// What belongs to no single body: joints, guides, springs, reactions, of the first run.

import {
  BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, Line, LineBasicMaterial, LineLoop,
  LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, Object3D, Vector3,
} from "three";
import type { Actors } from "./actors";
import type { Element, Frame, Numbers, Run, Vec } from "./data";
import { isPin, makeFoot, makeJoint, slotPoints, springPoints, vec } from "./shapes";

interface Hub { element: Element; mark: Object3D; at: number }  // at which of its frames, along the axes of the first
interface Spring { element: Element; line: Line; positions: Float32Array }
interface Link { element: Element; line: LineSegments }
interface Reaction { element: Element; parts: (Numbers | null)[]; arrow: Arrow }

/** An arrow of any length along its own y, as thick on the screen as it should be. */
class Arrow extends Group {
  private readonly shaft: Mesh;
  private readonly head: Mesh;
  constructor(private readonly thickness: number, material: MeshBasicMaterial) {
    super();
    this.shaft = new Mesh(new CylinderGeometry(0.3 * thickness, 0.3 * thickness, 1, 10), material);
    this.head = new Mesh(new ConeGeometry(thickness, 1, 16), material);
    this.add(this.shaft, this.head);
  }
  setLength(length: number) {
    const head = Math.min(2.6 * this.thickness, 0.6 * length);
    this.shaft.scale.y = length - head;
    this.shaft.position.y = (length - head) / 2;
    this.head.scale.y = head;
    this.head.position.y = length - head / 2;
  }
}

const SPRING_POINTS = 121;
const MAX_ARROWS = 400;
const UP = new Vector3(0, 1, 0);

export class Fittings {
  readonly group = new Group();
  readonly joints = new MeshLambertMaterial();
  readonly ground = new MeshLambertMaterial();
  readonly guide = new LineBasicMaterial({ transparent: true, opacity: 0.7 });
  readonly spring = new LineBasicMaterial();
  readonly reaction = new MeshBasicMaterial();
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
    this.reaction.color = new Color(dark ? "#ff8f7f" : "#c0392b");
  }

  private addJoint(element: Element, plane: boolean) {
    if (element.type === "free") return;
    const onLine = element.type === "point_on_line";
    const pin = isPin(element);
    const mark = tag(makeJoint(element, this.thickness, plane, this.joints), { kind: element.kind, name: element.name });
    this.hubs.push({ element, mark, at: onLine || pin ? element.frames.length - 1 : 0 });
    this.group.add(mark);
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
    const geometry = new BufferGeometry().setFromPoints([from.clone().sub(axis), from.clone().add(axis)]);
    this.group.add(tag(new Line(geometry, this.guide), {}));
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
    const mark = tag(new LineLoop(new BufferGeometry().setFromPoints(points), this.guide), {});
    mark.frustumCulled = false;
    this.hubs.push({ element, mark, at: 0 });
    this.group.add(mark);
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
    for (const { element, mark, at } of this.hubs) {
      this.actors.place(element.frames[at], mark.position);
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
      arrow.quaternion.setFromUnitVectors(UP, force.normalize());
      arrow.setLength(Math.min(length, 0.45 * this.size));
    }
  }

  /** Arrows for what each joint exerts; a large one is a sixth of the scene long. */
  private makeReactions(): Reaction[] {
    const list: Reaction[] = [];
    let largest = 0;
    for (const element of this.run.scene!.elements) {
      if (list.length >= MAX_ARROWS || element.frames.length === 0) continue;
      if (element.kind !== "joint" && element.kind !== "constraint") continue;
      const parts = ["x", "y", "z"].map((axis) => this.run.named(`${element.name}.force.${axis}`));
      if (parts.every((part) => part === null)) continue;
      for (const part of parts) if (part) largest = Math.max(largest, typicalSize(part));
      const arrow = new Arrow(1.1 * this.thickness, this.reaction);
      this.group.add(arrow);
      list.push({ element, parts, arrow });
    }
    this.reactionScale = largest > 0 ? this.size / 6 / largest : 0;
    return list;
  }
}

/** The size that 9 of 10 values stay below: a few peaks must not shrink all the others. */
function typicalSize(values: Numbers): number {
  const sizes = Array.from(values, Math.abs).filter(Number.isFinite).sort((a, b) => a - b);
  return sizes[Math.floor(0.9 * (sizes.length - 1))] ?? 0;
}

function tag<T extends Object3D>(object: T, data: Record<string, unknown>): T {
  object.traverse((part) => { part.userData = data; });
  return object;
}

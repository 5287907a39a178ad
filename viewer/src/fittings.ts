// What belongs to no single body: joints, guides, springs, of the first run.

import {
  BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, LineLoop, LineSegments, Matrix4,
  MeshLambertMaterial, Object3D, Vector3,
} from "three";
import type { Actors } from "./actors";
import type { Element, Frame, Run, Vec } from "./data";
import { isPin, makeFoot, makeJoint, slotPoints, springPoints, vec } from "./shapes";

interface Hub { element: Element; mark: Object3D; at: number }  // at which of its frames, along the axes of the first
interface Spring { element: Element; line: Line; positions: Float32Array }
interface Link { element: Element; line: LineSegments }

const SPRING_POINTS = 121;

export class Fittings {
  readonly group = new Group();
  readonly joints = new MeshLambertMaterial();
  readonly ground = new MeshLambertMaterial();
  readonly guide = new LineBasicMaterial({ transparent: true, opacity: 0.7 });
  readonly spring = new LineBasicMaterial();
  private readonly hubs: Hub[] = [];
  private readonly springs: Spring[] = [];
  private readonly links: Link[] = [];
  private readonly matrix = new Matrix4();

  constructor(private readonly run: Run, private readonly actors: Actors, private readonly thickness: number,
              private readonly size: number, down: Vector3) {
    const scene = run.scene!;
    const feet: Vector3[] = [];
    for (const element of scene.elements) {
      if (element.kind === "measure" || element.frames.length === 0) continue;
      if (element.type === "attraction") this.addLink(element);
      else if (element.kind === "force") this.addForce(element, scene.plane);
      else if (element.kind === "joint" || element.type === "point_on_line") this.addJoint(element, scene.plane);
      else if (element.frames.length === 2 && !element.type.startsWith("rolling")) this.addLink(element);
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

  update(plane: boolean) {
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
  }

  /** Where a joint is now; nothing if it has no place. */
  find(name: string): Vector3 | null {
    const element = this.run.scene!.elements.find((each) => each.name === name);
    return element && element.frames.length > 0 ? this.actors.place(element.frames[element.frames.length - 1]) : null;
  }
}

function tag<T extends Object3D>(object: T, data: Record<string, unknown>): T {
  object.traverse((part) => { part.userData = data; });
  return object;
}

// Bodies, joints and forces as three.js meshes, in body axes from the mass centre.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, Group, Line3, Material, Mesh, Object3D,
  Quaternion, SphereGeometry, Vector3,
} from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { readMesh, type Body, type Element, type SceneData, type Vec } from "./data";

export const vec = (v: Vec) => new Vector3(v[0], v[1], v[2]);
const UP = new Vector3(0, 1, 0);  // along which three.js builds cylinders

/** Where elements act on a body. */
function placesOn(scene: SceneData, body: number): Vector3[] {
  return scene.elements.filter((element) => element.kind !== "measure")
    .flatMap((element) => element.frames.filter((frame) => frame.body === body).map((frame) => vec(frame.at)));
}

/** Everything that is fixed on a body and has a place: ends of its shape, joints, marks. */
export function pointsOf(scene: SceneData, body: number): Vector3[] {
  const { shape, marks } = scene.bodies[body];
  const points = marks.map((mark) => vec(mark.at));
  if (scene.bodies[body].mesh >= 0) {
    const { min, max } = meshGeometry(scene.bodies[body].mesh).boundingBox!;
    points.push(min.clone(), max.clone(), new Vector3(min.x, max.y, min.z), new Vector3(max.x, min.y, max.z));
  }
  if (["rod", "cylinder", "cone"].includes(shape.kind)) points.push(vec(shape.from), vec(shape.to));
  return [...points, ...placesOn(scene, body)];
}

/** Round things in so many steps: their edges must not be seen as corners. */
const ROUND = 72;

/** Points around a body as it is drawn: nothing of it lies outside of what they span, but for thin bars. */
export function outlineOf(scene: SceneData, index: number, thickness: number): Vector3[] {
  const body = scene.bodies[index];
  const { shape } = body;
  const points = pointsOf(scene, index);
  if (body.mesh >= 0) {
    const { min, max } = meshGeometry(body.mesh).boundingBox!;
    for (const x of [min.x, max.x]) for (const y of [min.y, max.y]) for (const z of [min.z, max.z]) points.push(new Vector3(x, y, z));
    return points;
  }
  if (shape.kind === "cylinder") points.push(...ringOf(vec(shape.from), vec(shape.to), shape.radius), ...ringOf(vec(shape.to), vec(shape.from), shape.radius));
  if (shape.kind === "cone") points.push(...ringOf(vec(shape.from), vec(shape.to), shape.radius));
  if (shape.kind === "disc") {
    const half = vec(shape.axis).setLength(Math.max(shape.thickness, 1.2 * thickness, 1e-9 * shape.radius) / 2);
    for (const end of [vec(shape.from).add(half), vec(shape.from).sub(half)]) points.push(...ringOf(end, end.clone().add(half), shape.radius));
  }
  if (shape.kind === "box") {
    for (const x of [-0.5, 0.5]) for (const y of [-0.5, 0.5]) for (const z of [-0.5, 0.5]) {
      points.push(new Vector3(x * shape.size[0], y * shape.size[1], z * shape.size[2]));
    }
  }
  if (shape.kind === "sphere") points.push(...ballOf(vec(shape.from), shape.radius));
  if (points.length === 0 || points.every((point) => point.length() < 1e-9)) points.push(...ballOf(new Vector3(), 4.5 * thickness));
  else if (shape.kind === "") points.push(...ballOf(new Vector3(), (body.point ? 1.8 : 1.1) * thickness));  // where its lines meet
  return points;
}

/** Corners of an octagon about a circle. */
function ringOf(centre: Vector3, along: Vector3, radius: number): Vector3[] {
  const axis = along.clone().sub(centre).normalize();
  const across = new Vector3(Math.abs(axis.x) < 0.9 ? 1 : 0, Math.abs(axis.x) < 0.9 ? 0 : 1, 0).projectOnPlane(axis).setLength(radius / Math.cos(Math.PI / 8));
  return Array.from({ length: 8 }, (_, k) => across.clone().applyAxisAngle(axis, (k * Math.PI) / 4).add(centre));
}

/** Corners of a rhombic dodecahedron about a ball. */
function ballOf(centre: Vector3, radius: number): Vector3[] {
  const a = radius * Math.SQRT2, b = radius / Math.SQRT2;
  const corners = [[a, 0, 0], [-a, 0, 0], [0, a, 0], [0, -a, 0], [0, 0, a], [0, 0, -a]];
  for (const x of [-b, b]) for (const y of [-b, b]) for (const z of [-b, b]) corners.push([x, y, z]);
  return corners.map(([x, y, z]) => new Vector3(x, y, z).add(centre));
}

/** Where an arm to a point outside of a body's shape begins; null: the point is on the shape, or there is none. */
function rootOf({ shape, mesh }: Body, at: Vector3, thickness: number): Vector3 | null {
  if (mesh >= 0 || shape.kind === "") return null;
  const root = new Vector3();
  if (shape.kind === "box") {
    const half = vec(shape.size).multiplyScalar(0.5);
    return at.distanceTo(at.clone().clamp(half.clone().negate(), half)) > 2 * thickness ? root : null;
  }
  const from = vec(shape.from), to = vec(shape.kind === "sphere" || shape.kind === "disc" ? shape.from : shape.to);
  if (shape.kind === "disc") {
    const half = vec(shape.axis).setLength(shape.thickness / 2);
    from.sub(half);
    to.add(half);
  }
  new Line3(from, to).closestPointToPoint(at, true, root);
  return root.distanceTo(at) > Math.max(shape.radius, 2 * thickness) ? root : null;
}

/** Half the size of a body: how far it reaches from its mass centre. */
export function reachOf(scene: SceneData, body: number): number {
  const { shape } = scene.bodies[body];
  const size = vec(shape.size).length() / 2;
  const round = shape.radius + (["disc", "sphere"].includes(shape.kind) ? vec(shape.from).length() : 0);
  return Math.max(size, meshReach(scene.bodies[body].mesh), round, ...pointsOf(scene, body).map((point) => point.length()), 0);
}

function meshReach(index: number): number {
  if (index < 0) return 0;
  const box = meshGeometry(index).boundingBox!;
  return Math.max(box.min.length(), box.max.length());
}

const geometries = new Map<number, BufferGeometry>();

/** Smooth but at edges; bodies with the same mesh share it. */
function meshGeometry(index: number): BufferGeometry {
  let geometry = geometries.get(index);
  if (!geometry) {
    const { points, triangles } = readMesh(index);
    const raw = new BufferGeometry();
    raw.setAttribute("position", new BufferAttribute(points, 3));
    raw.setIndex(new BufferAttribute(triangles, 1));
    geometry = toCreasedNormals(raw, 0.6);
    geometry.computeBoundingBox();
    geometries.set(index, geometry);
  }
  return geometry;
}

/** How far most bodies reach. */
function findTypicalReach(scene: SceneData): number | undefined {
  const reaches = scene.bodies.map((_, body) => reachOf(scene, body)).filter((reach) => reach > 0).sort((a, b) => a - b);
  return reaches[Math.floor(reaches.length / 2)];
}

/** The thickness of what has none: fit for the bodies, but never a hair on the screen. */
export function findThickness(scene: SceneData, size: number): number {
  return Math.max(0.05 * (findTypicalReach(scene) ?? size / 4), 0.0022 * size);
}

/** The same for joints: where many short bodies make a long mechanism they must not hide the bodies. */
export function thinForJoints(scene: SceneData, thickness: number): number {
  return Math.min(thickness, 0.2 * (findTypicalReach(scene) ?? Infinity));
}

/** The least radius of what is drawn as round as it is: no hair on the screen, where short bodies make a long mechanism either. */
export function findLeastRadius(scene: SceneData, thickness: number): number {
  const isLong = thickness > 0.1 * (findTypicalReach(scene) ?? Infinity);
  return (isLong ? 0.9 : 0.45) * thickness;
}

/** Thick in all directions: it would hide what is in it or behind it. */
export function isBulky(body: Body, thickness: number): boolean {
  if (body.mesh >= 0) return false;  // whoever drew it wants it seen
  const { kind, size, radius, from, to, thickness: height } = body.shape;
  const extents: Record<string, number[]> = {
    box: size, sphere: [radius], disc: [radius, height],
    cylinder: [2 * radius, vec(from).distanceTo(vec(to))], cone: [radius, vec(from).distanceTo(vec(to))],
  };
  return kind in extents && Math.min(...extents[kind]) > 6 * thickness;
}

function along(geometry: BufferGeometry, from: Vector3, to: Vector3, material: Material): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.position.copy(from).add(to).multiplyScalar(0.5);
  const axis = to.clone().sub(from).normalize();
  if (axis.lengthSq() > 0.5) mesh.quaternion.setFromUnitVectors(UP, axis);
  return mesh;
}

function bar(from: Vector3, to: Vector3, radius: number, material: Material): Mesh {
  return along(new CapsuleGeometry(radius, from.distanceTo(to), 4, 12), from, to, material);
}

function addSpokes(group: Group, points: Vector3[], radius: number, material: Material) {
  const seen: Vector3[] = [];
  for (const point of points) {
    if (point.length() < 1e-9 || seen.some((other) => other.distanceTo(point) < 1e-9)) continue;
    seen.push(point);
    group.add(bar(new Vector3(), point, 0.7 * radius, material));
  }
  // Joints that are not in one line: close the outline, as of a plate.
  const turns = seen.slice().sort((a, b) => Math.atan2(a.y, a.x) - Math.atan2(b.y, b.x));
  if (turns.length >= 3 && turns.length <= 8) {
    turns.forEach((point, k) => group.add(bar(point, turns[(k + 1) % turns.length], 0.7 * radius, material)));
  }
}

/** A body that has neither a shape nor anything beside its mass centre: how it turns. */
function addAxes(group: Group, plane: boolean, thickness: number, material: Material) {
  const r = 4.5 * thickness;
  const x = new Vector3(r, 0, 0), y = new Vector3(0, r, 0), z = new Vector3(0, 0, r);
  if (!plane) {
    for (const axis of [x, y, z]) group.add(bar(axis.clone().negate(), axis, 0.7 * thickness, material));
    return;
  }
  const half = new Vector3(0, 0, 0.6 * thickness);
  group.add(along(new CylinderGeometry(r, r, 1.2 * thickness, ROUND), half.clone().negate(), half, material));
  group.add(bar(half, half.clone().add(x.multiplyScalar(0.9)), 0.35 * thickness, material));
}

export function makeBody(scene: SceneData, index: number, thickness: number, least: number, material: Material): Group {
  const body: Body = scene.bodies[index];
  const { shape } = body;
  const group = new Group();
  const from = vec(shape.from), to = vec(shape.to);
  const length = from.distanceTo(to);
  const visible = Math.max(shape.radius, least);
  if (body.mesh >= 0) {
    group.add(new Mesh(meshGeometry(body.mesh), material));
    return group;
  }
  for (const point of placesOn(scene, index)) {
    const root = rootOf(body, point, thickness);
    if (root) group.add(bar(root, point, 0.7 * thickness, material));
  }
  switch (shape.kind) {
    case "rod": group.add(bar(from, to, thickness, material)); break;
    case "cylinder": group.add(along(new CylinderGeometry(visible, visible, length, ROUND), from, to, material)); break;
    case "cone": group.add(along(new ConeGeometry(visible, length, ROUND), from, to, material)); break;
    case "box":
      group.add(new Mesh(new BoxGeometry(shape.size[0], shape.size[1], shape.size[2] || 2 * thickness), material));
      break;
    case "sphere": {
      const ball = new Mesh(new SphereGeometry(shape.radius, 48, 24), material);
      ball.position.copy(from);
      group.add(ball);
      break;
    }
    case "disc": {
      const half = vec(shape.axis).normalize().multiplyScalar((shape.thickness || 1.2 * thickness) / 2);
      const height = 2 * half.length();
      group.add(along(new CylinderGeometry(shape.radius, shape.radius, height, ROUND), from.clone().sub(half), from.clone().add(half), material));
      // A disc that turns looks as if at rest: a spoke shows it.
      const across = new Vector3(1, 0, 0).projectOnPlane(half);
      if (across.length() < 0.1) across.set(0, 1, 0).projectOnPlane(half);
      across.setLength(0.92 * shape.radius);
      const lift = from.clone().addScaledVector(half, 1.02);
      group.add(bar(lift, lift.clone().add(across), 0.35 * thickness, material));
      break;
    }
    default: {
      const ball = new Mesh(new SphereGeometry((body.point ? 1.8 : 1.1) * thickness, 20, 14), material);
      group.add(ball);
      const points = pointsOf(scene, index);
      addSpokes(group, points, thickness, material);
      if (!body.point && points.every((point) => point.length() < 1e-9)) addAxes(group, scene.plane, thickness, material);
    }
  }
  return group;
}

/** A pin in a slot: it turns about z and moves across it. */
export const isPin = ({ turns, slide }: Element) => turns === 1 && vec(slide).length() > 0.5 && Math.abs(slide[2]) < 0.5;

/** A joint's own mark, by what it lets move, with z along the z of its first frame: a hub, a ball or a block. */
export function makeJoint({ kind, turns }: Element, thickness: number, plane: boolean, material: Material): Object3D {
  const r = 1.45 * thickness;
  let mesh: Mesh;
  if (kind === "joint" && turns === 1) {
    mesh = new Mesh(new CylinderGeometry(r, r, (plane ? 2.6 : 3.6) * thickness, 24), material);
    mesh.quaternion.setFromUnitVectors(UP, new Vector3(0, 0, 1));
  } else if (kind === "joint" && turns > 1) {
    mesh = new Mesh(new SphereGeometry(1.15 * r, 24, 16), material);
  } else {
    mesh = new Mesh(new BoxGeometry(3.4 * thickness, 3.4 * thickness, 3.4 * thickness), material);
  }
  const group = new Group();
  group.add(mesh);
  return group;
}

/** Half of a universal joint: a pin along an axis and the fork that holds it, towards `back` along z. */
export function makeFork(pin: Vector3, back: number, thickness: number, material: Material): Object3D {
  const half = 2.4 * thickness, r = 0.5 * thickness;
  const group = new Group();
  const ends = [pin.clone().multiplyScalar(half), pin.clone().multiplyScalar(-half)];
  const behind = new Vector3(0, 0, 3.4 * thickness * back);
  const [one, other] = ends.map((end) => end.clone().add(behind));
  group.add(bar(ends[0], ends[1], r, material), bar(ends[0], one, r, material), bar(ends[1], other, r, material), bar(one, other, r, material));
  return group;
}

/** The outline of a slot along a direction, `lift` above the middle, for a pin that goes from `low` to `high`. */
export function slotPoints(slide: Vector3, low: number, high: number, width: number, lift: number): Vector3[] {
  const across = new Vector3(0, 0, 1).cross(slide);
  const points: Vector3[] = [];
  const ARC = 16;
  for (const [end, first] of [[high, -0.5], [low, 0.5]]) {
    for (let k = 0; k <= ARC; ++k) {
      const angle = Math.PI * (first + k / ARC);
      const point = slide.clone().multiplyScalar(end + width * Math.cos(angle));
      points.push(point.addScaledVector(across, width * Math.sin(angle)).setZ(lift));
    }
  }
  return points;
}

/** What holds something on the ground: a foot with its tip there, or at the end of a pole where a body would hide it. */
export function makeFoot({ at, down, pole }: Foot, thickness: number, material: Material): Object3D {
  const height = FOOT * thickness;
  const foot = new Mesh(new ConeGeometry(3.6 * thickness, height, 4), material);
  foot.quaternion.copy(new Quaternion().setFromUnitVectors(UP, down.clone().negate()));
  foot.rotateY(Math.PI / 4);
  foot.position.copy(at).addScaledVector(down, pole + height / 2);
  const group = new Group();
  group.add(foot);
  if (pole > 0) group.add(bar(at, at.clone().addScaledVector(down, pole + thickness), 0.9 * thickness, material));
  return group;
}

const FOOT = 5.5;  // its height in thicknesses
export interface Foot { at: Vector3; down: Vector3; pole: number }

/** Points around a foot. */
export function outlineOfFoot({ at, down, pole }: Foot, thickness: number): Vector3[] {
  const end = at.clone().addScaledVector(down, pole + FOOT * thickness);
  return ringOf(end, end.clone().add(down), 3 * thickness);
}

/** How long a pole must be so that a body that turns about a point of it does not hide the foot. */
export function poleOf({ shape, mesh }: Body, at: Vector3, down: Vector3, thickness: number): number {
  if (mesh >= 0) return 0;
  const { radius } = shape;
  if (shape.kind === "disc") {
    const upright = Math.abs(vec(shape.axis).normalize().dot(down)) < 0.7;
    if (at.distanceTo(vec(shape.from)) > radius) return 0;
    return upright ? (shape.thickness > 6 * thickness ? radius : 0) : shape.thickness / 2 + 0.5 * radius;
  }
  if (shape.kind === "cylinder") {
    const axis = vec(shape.to).sub(vec(shape.from)).normalize();
    return Math.abs(axis.dot(down)) < 0.7 && radius > 2 * thickness ? radius : 0;
  }
  return 0;
}

/** A wire along a line that changes its form: so many points, each with a ring of vertices. A line itself is one pixel
    wide on every screen. */
export class Wire {
  readonly geometry = new BufferGeometry();
  private readonly places: BufferAttribute;
  private readonly normals: BufferAttribute;
  private static readonly SIDES = 6;

  constructor(private readonly count: number, private readonly radius: number) {
    const { SIDES } = Wire;
    this.places = new BufferAttribute(new Float32Array(3 * SIDES * count), 3);
    this.normals = new BufferAttribute(new Float32Array(3 * SIDES * count), 3);
    const corners: number[] = [];
    for (let k = 0; k + 1 < count; ++k) for (let side = 0; side < SIDES; ++side) {
      const a = k * SIDES + side, b = k * SIDES + ((side + 1) % SIDES);
      corners.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
    this.geometry.setAttribute("position", this.places);
    this.geometry.setAttribute("normal", this.normals);
    this.geometry.setIndex(corners);
  }

  /** Each ring keeps the directions of the one before, as far as it can stand across the line: the wire does not twist. */
  follow(points: Float32Array) {
    const { SIDES } = Wire;
    const at = new Vector3(), along = new Vector3(), normal = new Vector3(), across = new Vector3(), side = new Vector3();
    for (let k = 0; k < this.count; ++k) {
      const before = 3 * Math.max(k - 1, 0), after = 3 * Math.min(k + 1, this.count - 1);
      along.fromArray(points, after).sub(across.fromArray(points, before)).normalize();
      normal.projectOnPlane(along);
      if (normal.lengthSq() < 1e-6) normal.set(Math.abs(along.x) < 0.9 ? 1 : 0, Math.abs(along.x) < 0.9 ? 0 : 1, 0).projectOnPlane(along);
      normal.normalize();
      across.copy(along).cross(normal);
      at.fromArray(points, 3 * k);
      for (let j = 0; j < SIDES; ++j) {
        const angle = (2 * Math.PI * j) / SIDES;
        side.copy(normal).multiplyScalar(Math.cos(angle)).addScaledVector(across, Math.sin(angle));
        this.normals.setXYZ(k * SIDES + j, side.x, side.y, side.z);
        this.places.setXYZ(k * SIDES + j, at.x + this.radius * side.x, at.y + this.radius * side.y, at.z + this.radius * side.z);
      }
    }
    this.places.needsUpdate = this.normals.needsUpdate = true;
  }
}

/** Points of a spring from a to b: straight ends and a zigzag, or a coil in space. */
export function springPoints(a: Vector3, b: Vector3, width: number, plane: boolean, out: Float32Array): void {
  const count = out.length / 3;
  const axis = b.clone().sub(a);
  const length = axis.length() || 1e-9;
  axis.divideScalar(length);
  const side = plane ? new Vector3(-axis.y, axis.x, 0) : new Vector3(0, 0, 1).cross(axis);
  if (side.length() < 1e-6) side.set(1, 0, 0);
  side.normalize();
  const other = axis.clone().cross(side);
  const turns = 9;
  for (let k = 0; k < count; ++k) {
    const s = k / (count - 1);
    const inside = s > 0.12 && s < 0.88;
    const phase = ((s - 0.12) / 0.76) * turns * 2 * Math.PI;
    const u = inside ? width * Math.sin(phase) : 0;
    const w = inside && !plane ? width * (1 - Math.cos(phase)) : 0;
    out[3 * k] = a.x + axis.x * s * length + side.x * u + other.x * w;
    out[3 * k + 1] = a.y + axis.y * s * length + side.y * u + other.y * w;
    out[3 * k + 2] = a.z + axis.z * s * length + side.z * u + other.z * w;
  }
}

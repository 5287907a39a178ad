// What is around the mechanism: how large everything is, light, and a grid.

import { AmbientLight, Box3, Color, DirectionalLight, GridHelper, LineBasicMaterial, Quaternion, Vector3, type Object3D } from "three";
import { POSE, type Run } from "./data";
import { outlineOf } from "./shapes";

/** Where the bodies of all runs come to: a box around it, and the outermost places. */
export interface Extent { box: Box3; points: Vector3[] }

const MAX_PLACES = 200000;  // of one run that are looked at: all poses of a small mechanism, some of a large one
const DIRECTIONS = 90;

/** Directions all round, about as far from each other, in the plane or along a spiral: x, y, z of each. */
function spreadDirections(plane: boolean): Float64Array {
  const list = new Float64Array(3 * DIRECTIONS);
  for (let k = 0; k < DIRECTIONS; ++k) {
    const z = plane ? 0 : 1 - (2 * k + 1) / DIRECTIONS, r = Math.sqrt(1 - z * z);
    const angle = (plane ? (2 * Math.PI) / DIRECTIONS : Math.PI * (3 - Math.sqrt(5))) * k;
    list.set([r * Math.cos(angle), r * Math.sin(angle), z], 3 * k);
  }
  return list;
}

/** Of places that come one after the other, the farthest in each of many directions. */
class Outermost {
  readonly box = new Box3();
  private readonly directions: Float64Array;
  private readonly reach = new Float64Array(DIRECTIONS).fill(-Infinity);
  private readonly places: (Vector3 | null)[] = Array(DIRECTIONS).fill(null);

  /** `roughly`: the box alone, which costs a tenth. */
  constructor(plane: boolean, private readonly roughly: boolean) { this.directions = spreadDirections(plane); }

  add(at: Vector3) {
    const { x, y, z } = at;
    if (!Number.isFinite(x + y + z)) return;
    this.box.expandByPoint(at);
    if (this.roughly) return;
    let own: Vector3 | null = null;
    for (let k = 0; k < DIRECTIONS; ++k) {
      const reach = this.directions[3 * k] * x + this.directions[3 * k + 1] * y + this.directions[3 * k + 2] * z;
      if (reach > this.reach[k]) { this.reach[k] = reach; this.places[k] = own ??= at.clone(); }
    }
  }

  get points(): Vector3[] { return [...new Set(this.places.filter((place): place is Vector3 => place !== null))]; }
}

/** `thickness`: of what has none; 0 if it is not known yet: then the box alone is told. */
export function findExtent(runs: Run[], thickness: number, more: Vector3[] = []): Extent {
  const outermost = new Outermost(runs[0].scene!.plane, thickness === 0);
  const poses = new Float64Array(Math.max(...runs.map((run) => run.scene!.bodies.length)) * POSE);
  const at = new Vector3(), q = new Quaternion();
  for (const run of runs) {
    const scene = run.scene!;
    const outlines = scene.bodies.map((_, index) => outlineOf(scene, index, thickness));
    const count = outlines.reduce((sum, each) => sum + each.length, 0);
    const frames = Math.min(run.frameTimes.length, Math.max(50, Math.floor(MAX_PLACES / count)));
    for (let k = 0; k < frames; ++k) {
      run.posesAt(run.frameTimes[Math.floor((k * (run.frameTimes.length - 1)) / Math.max(frames - 1, 1))], poses);
      outlines.forEach((outline, body) => {
        const o = body * POSE;
        q.set(poses[o + 3], poses[o + 4], poses[o + 5], poses[o + 6]);
        for (const point of outline) {
          at.copy(point).applyQuaternion(q);
          at.x += poses[o]; at.y += poses[o + 1]; at.z += poses[o + 2];
          outermost.add(at);
        }
      });
    }
    for (const element of scene.elements) {
      for (const frame of element.frames) if (frame.body < 0) outermost.add(at.set(...frame.at));
    }
  }
  for (const each of more) outermost.add(each);
  const { box, points } = outermost;
  const pointLike = !box.isEmpty() && box.getSize(at).length() < 1e-6;
  if (pointLike) box.expandByScalar(0.1);  // m: a body that turns on the spot and has no shape
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  box.expandByScalar(0.04 * box.getSize(at).length());
  return { box, points: pointLike || points.length === 0 ? cornersOf(box) : points };
}

export function cornersOf(box: Box3): Vector3[] {
  const list: Vector3[] = [];
  for (const x of [box.min.x, box.max.x]) for (const y of [box.min.y, box.max.y]) for (const z of [box.min.z, box.max.z]) {
    list.push(new Vector3(x, y, z));
  }
  return list;
}

export function makeLights(up: Vector3): Object3D[] {
  const key = new DirectionalLight("#ffffff", 2.1);
  key.position.copy(up).multiplyScalar(2).add(new Vector3(0.8, -0.5, 1.6));
  const fill = new DirectionalLight("#ffffff", 0.6);
  fill.position.set(-1, 0.6, -0.8);
  return [new AmbientLight("#ffffff", 1.25), key, fill];
}

/** Lines 1, 2 or 5 times a power of ten apart: behind a planar mechanism, under a spatial one. */
export class Grid {
  readonly lines: GridHelper;
  readonly step: number;

  constructor(box: Box3, plane: boolean, thickness: number, up: Vector3) {
    const size = box.getSize(new Vector3());
    const span = Math.max(size.x, size.y, size.z);
    const raw = span / 8;
    const power = 10 ** Math.floor(Math.log10(raw));
    this.step = power * (raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : raw / power < 7.5 ? 5 : 10);
    const cells = 2 * Math.ceil((1.3 * span) / this.step);
    this.lines = new GridHelper(cells * this.step, cells);
    const centre = box.getCenter(new Vector3());
    const snap = (x: number) => Math.round(x / this.step) * this.step;
    if (plane) {
      this.lines.rotation.x = Math.PI / 2;
      this.lines.position.set(snap(centre.x), snap(centre.y), -4 * thickness);
    } else {
      this.lines.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), up);
      const reach = Math.abs(size.dot(new Vector3(Math.abs(up.x), Math.abs(up.y), Math.abs(up.z)))) / 2;
      this.lines.position.copy(centre).addScaledVector(up, -reach - 2 * thickness);
    }
  }

  setColours(dark: boolean) {
    const material = this.lines.material as LineBasicMaterial;
    material.vertexColors = false;
    material.color = new Color(dark ? "#2b3746" : "#d3dae4");
    material.needsUpdate = true;
  }
}

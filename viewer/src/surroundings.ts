// What is around the mechanism: how large everything is, light, and a grid.

import { AmbientLight, Box3, Color, DirectionalLight, GridHelper, LineBasicMaterial, Vector3, type Object3D } from "three";
import { POSE, type Run } from "./data";
import { pointsOf, reachOf } from "./shapes";

/** Where the bodies of all runs come to: a box around it, and some of the places. */
export interface Extent { box: Box3; points: Vector3[] }

const MAX_POINTS = 6000;  // of one run
const MAX_STRIDE = 12;     // of frames that are looked at: with fewer, the corners of the box are safer

export function findExtent(runs: Run[]): Extent {
  const box = new Box3();
  const places: Vector3[] = [];
  let coarse = false;
  const reached = (at: Vector3, kept: boolean) => {
    if (!Number.isFinite(at.x + at.y + at.z)) return;
    box.expandByPoint(at);
    if (kept) places.push(at.clone());
  };
  const poses = new Float64Array(Math.max(...runs.map((run) => run.scene!.bodies.length)) * POSE);
  const at = new Vector3();
  for (const run of runs) {
    const scene = run.scene!;
    const points = scene.bodies.map((body, index) => {
      const reach = reachOf(scene, index);
      const own = pointsOf(scene, index);
      if (own.length === 0 || body.shape.kind === "disc" || body.shape.kind === "sphere") {
        own.push(new Vector3(reach, 0, 0), new Vector3(-reach, 0, 0), new Vector3(0, reach, 0), new Vector3(0, -reach, 0));
      }
      return own;
    });
    const frames = Math.min(run.frameTimes.length, scene.bodies.length > 60 ? 50 : 150);
    const stride = Math.ceil((frames * points.reduce((sum, each) => sum + each.length, 0)) / MAX_POINTS);
    coarse ||= stride > MAX_STRIDE;
    for (let k = 0; k < frames; ++k) {
      run.posesAt(run.frameTimes[Math.floor((k * (run.frameTimes.length - 1)) / Math.max(frames - 1, 1))], poses);
      for (let body = 0; body < scene.bodies.length; ++body) {
        const o = body * POSE;
        const q = { x: poses[o + 3], y: poses[o + 4], z: poses[o + 5], w: poses[o + 6] } as never;
        for (const point of points[body]) {
          at.copy(point).applyQuaternion(q);
          at.x += poses[o]; at.y += poses[o + 1]; at.z += poses[o + 2];
          reached(at, k % stride === 0);
        }
      }
    }
    for (const element of scene.elements) {
      for (const frame of element.frames) if (frame.body < 0) reached(at.set(...frame.at), true);
    }
  }
  const pointLike = !box.isEmpty() && box.getSize(new Vector3()).length() < 1e-6;
  if (pointLike) box.expandByScalar(0.1);  // m: a body that turns on the spot and has no shape
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  box.expandByScalar(0.04 * box.getSize(new Vector3()).length());
  return { box, points: coarse || pointLike || places.length === 0 ? cornersOf(box) : places };
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

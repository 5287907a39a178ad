// The bodies of one run in the scene, at any time.

import { Color, Group, MeshLambertMaterial, Object3D, Vector3 } from "three";
import { POSE, type Frame, type Pose, type Run } from "./data";
import { findLeastRadius, isBulky, makeBody, vec } from "./shapes";

export interface ActorLook { colourOf: (body: number) => string; opacity: number }

export class Actors {
  readonly group = new Group();
  readonly poses: Pose;
  readonly bodies: Group[] = [];
  readonly materials: MeshLambertMaterial[] = [];

  constructor(readonly run: Run, thickness: number, look: ActorLook) {
    const scene = run.scene!;
    this.poses = new Float64Array(scene.bodies.length * POSE);
    const least = findLeastRadius(scene, thickness);
    scene.bodies.forEach((body, index) => {
      const opacity = look.opacity * (isBulky(body, thickness) ? 0.55 : 1);
      const material = new MeshLambertMaterial({
        color: new Color(look.colourOf(index)), transparent: opacity < 1, opacity, depthWrite: opacity > 0.65,
        // Where a ghost lies on the first run, the first run is seen.
        polygonOffset: look.opacity < 1, polygonOffsetFactor: 2, polygonOffsetUnits: 2,
      });
      const group = makeBody(scene, index, thickness, least, material);
      group.traverse((part: Object3D) => { part.userData = { kind: "body", name: body.name, body: index, run: run.index }; });
      this.materials.push(material);
      this.bodies.push(group);
      this.group.add(group);
    });
  }

  moveTo(t: number) {
    this.run.posesAt(t, this.poses);
    this.bodies.forEach((group, k) => {
      const p = this.poses, at = k * POSE;
      group.position.set(p[at], p[at + 1], p[at + 2]);
      group.quaternion.set(p[at + 3], p[at + 4], p[at + 5], p[at + 6]);
    });
  }

  /** Where a frame's origin is, in the pose of the last moveTo. */
  place(frame: { body: number; at: Frame["at"] }, out = new Vector3()): Vector3 {
    out.copy(vec(frame.at));
    if (frame.body < 0) return out;
    const group = this.bodies[frame.body];
    return out.applyQuaternion(group.quaternion).add(group.position);
  }

  /** A direction of a frame in the world. */
  turn(frame: Frame, direction: Frame["at"], out = new Vector3()): Vector3 {
    out.copy(vec(direction));
    return frame.body < 0 ? out : out.applyQuaternion(this.bodies[frame.body].quaternion);
  }

  /** The path of a point on a body over all frames. */
  path(body: number, at: Frame["at"], limit = 20000): Float32Array {
    const times = this.run.frameTimes;
    const count = Math.min(times.length, limit);
    const out = new Float32Array(3 * count);
    const now = new Float64Array(this.poses.length);
    const point = new Vector3();
    for (let k = 0; k < count; ++k) {
      this.run.posesAt(times[k], now);
      const o = body * POSE;
      const [qx, qy, qz, qw] = [now[o + 3], now[o + 4], now[o + 5], now[o + 6]];
      point.copy(vec(at)).applyQuaternion({ x: qx, y: qy, z: qz, w: qw } as never);
      out[3 * k] = point.x + now[o];
      out[3 * k + 1] = point.y + now[o + 1];
      out[3 * k + 2] = point.z + now[o + 2];
    }
    return out;
  }
}

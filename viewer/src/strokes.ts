// Lines that are some pixels wide: those of WebGL are one, however fine the screen.

import type { Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

export const makeInk = (width: number, tint = "#888888") => new LineMaterial({ color: tint, linewidth: width });

/** A line through points, that may change their places but not their number. */
export class Stroke extends Line2 {
  constructor(points: Float32Array | Vector3[], ink: LineMaterial) {
    const geometry = new LineGeometry();
    geometry.setPositions(Array.isArray(points) ? points.flatMap((point) => point.toArray()) : points);
    super(geometry, ink);
    this.frustumCulled = false;  // where it was is not where it is
  }

  /** Shows only so many of its points, two at least. */
  showFirst(points: number) { this.geometry.instanceCount = Math.max(points, 2) - 1; }

  /** Between two places. */
  stretch(a: Vector3, b: Vector3) {
    const start = this.geometry.getAttribute("instanceStart"), end = this.geometry.getAttribute("instanceEnd");
    start.setXYZ(0, a.x, a.y, a.z);
    end.setXYZ(0, b.x, b.y, b.z);
    start.needsUpdate = true;
    this.geometry.boundingSphere = this.geometry.boundingBox = null;  // pointing at it asks for new ones
  }
}

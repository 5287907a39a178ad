// Where the scene is looked at from: presets, and zooms that show all of a box.

import { Box3, OrthographicCamera, PerspectiveCamera, Vector2, Vector3, type WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { button, make } from "./dom";
import { cornersOf, type Extent } from "./surroundings";

export const VIEWS: [string, string][] = [["front", "Front"], ["top", "Top"], ["side", "Side"], ["corner", "Corner"]];

const BUTTONS = 38, WORDS = 26;  // pixels: what the mechanism keeps clear of, above and below

/** What a camera needs to know of the scene. */
export interface Sights extends Extent { plane: boolean; size: number; thickness: number; up: Vector3 }

export class Camera {
  readonly lens: PerspectiveCamera | OrthographicCamera;
  private readonly controls: OrbitControls;
  private room = 1;   // share of the height that buttons and words leave free
  private view = "";  // what is looked at as a whole; empty: somebody has turned, moved or zoomed

  constructor(private readonly sights: Sights, private readonly renderer: WebGLRenderer, private readonly node: HTMLElement, private readonly changed: () => void) {
    this.lens = sights.plane ? new OrthographicCamera() : new PerspectiveCamera(32, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.lens, renderer.domElement);
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => { this.view = ""; });
    new ResizeObserver(() => {
      this.resize();
      if (this.view) this.look(this.view);
    }).observe(node);
    this.lookAtAll();
  }

  buttons(zoom: () => void): HTMLElement {
    return make("div", { class: "cameras" },
      ...VIEWS.map(([key, label]) => button(label, `Look from the ${key}`, () => this.look(key))),
      button("Zoom", "Zoom to what is selected, or to everything (F)", zoom));
  }

  /** Metres across and up the picture; null: that depends on the distance. */
  get viewed(): { width: number; height: number } | null {
    const { lens } = this;
    if (lens instanceof PerspectiveCamera) return null;
    return { width: (lens.right - lens.left) / lens.zoom, height: (lens.top - lens.bottom) / lens.zoom };
  }

  private lookAtAll() { this.look(this.sights.plane ? "front" : "corner"); }

  look(key: string) {
    this.view = key;
    const { plane } = this.sights;
    const up = plane ? new Vector3(0, 1, 0) : this.sights.up;
    const side = new Vector3(0, 0, 1);
    if (!plane && Math.abs(up.z) > 0.7) side.set(0, -1, 0);  // z up: the front is -y
    const right = up.clone().cross(side).normalize();
    const front = right.clone().cross(up).normalize();
    const directions: Record<string, Vector3> = {
      front, top: up.clone().addScaledVector(front, 1e-3), side: right,
      corner: front.clone().addScaledVector(right, 0.75).addScaledVector(up, 0.55),
    };
    this.aim(this.sights.points, directions[key].normalize());
  }

  /** To a part of the scene, from where it is looked at now. */
  zoomTo(box: Box3) {
    this.view = "";
    const direction = this.lens.position.clone().sub(this.controls.target).normalize();
    if (box.isEmpty()) this.aim(this.sights.points, direction);
    else this.aim(cornersOf(box.expandByScalar(0.15 * box.getSize(new Vector3()).length())), direction);
  }

  /** Looks along a direction so that all points are in view, and as large as they can be. */
  private aim(points: Vector3[], direction: Vector3) {
    const { plane, size, thickness, up } = this.sights;
    const lens = this.lens;
    lens.up.copy(plane ? new Vector3(0, 1, 0) : up);
    this.resize();
    const right = lens.up.clone().cross(direction).normalize();
    const over = direction.clone().cross(right);
    const [r, o, d] = [right, over, direction].map((axis) => {
      const along = points.map((point) => point.dot(axis));
      return { low: along.reduce((a, b) => Math.min(a, b)), high: along.reduce((a, b) => Math.max(a, b)), along };
    });
    const margin = 3 * thickness;
    const target = new Vector3().addScaledVector(right, (r.low + r.high) / 2).addScaledVector(over, (o.low + o.high) / 2)
      .addScaledVector(direction, (d.low + d.high) / 2);
    const wide = (k: number) => Math.abs(r.along[k] - (r.low + r.high) / 2) + margin;
    const tall = (k: number) => Math.abs(o.along[k] - (o.low + o.high) / 2) + margin;
    if (lens instanceof PerspectiveCamera) {
      const slope = Math.tan((lens.fov * Math.PI) / 360);
      const high = slope * this.room, broad = slope * lens.aspect;
      let distance = 4 * thickness;
      points.forEach((_, k) => {
        const near = d.along[k] - (d.low + d.high) / 2;
        distance = Math.max(distance, near + Math.max(tall(k) / high, wide(k) / broad));
      });
      distance *= 1.08;
      lens.position.copy(target).addScaledVector(direction, distance);
      lens.near = distance / 200;
      lens.far = distance + 40 * size;
    } else {
      lens.position.copy(target).addScaledVector(direction, 4 * size + (d.high - d.low));
      lens.near = 0.01 * size;
      lens.far = 12 * size;
      const { clientWidth, clientHeight } = this.node;
      const aspect = clientWidth / Math.max(clientHeight, 1) || 1.6;
      lens.zoom = 0.93 * points.reduce((zoom, _, k) => Math.min(zoom, this.room / tall(k), aspect / wide(k)), Infinity);
    }
    lens.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.controls.update();
    this.changed();
  }

  private resize() {
    const { clientWidth, clientHeight } = this.node;
    const width = clientWidth || 640, height = clientHeight || 400;
    const size = this.renderer.getSize(new Vector2());
    // A new picture is made even if it is as large as the old one, and on the page there is none yet.
    if (clientWidth > 0 && (size.x !== width || size.y !== height)) this.renderer.setSize(width, height, false);
    const aspect = width / height;
    this.room = 1 - (BUTTONS + WORDS) / height;
    this.lens.setViewOffset(width, height, 0, (WORDS - BUTTONS) / 2, width, height);
    if (this.lens instanceof PerspectiveCamera) this.lens.aspect = aspect;
    else [this.lens.left, this.lens.right, this.lens.top, this.lens.bottom] = [-aspect, aspect, 1, -1];
    this.lens.updateProjectionMatrix();
    this.changed();
  }
}

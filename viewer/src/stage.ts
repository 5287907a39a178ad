// The 3-D view: camera, light, grid, bodies of all runs, trails and the stroboscopic view.

import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, GridHelper, Group, Line, LineBasicMaterial,
  MeshLambertMaterial, Object3D, OrthographicCamera, PerspectiveCamera, Raycaster, Scene, Sphere, Vector2, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Actors } from "./actors";
import { findBefore, POSE, type Run } from "./data";
import { button, format, make } from "./dom";
import { Fittings } from "./fittings";
import { findThickness, pointsOf, reachOf } from "./shapes";
import { colour, type Selection, type State } from "./state";

const COPIES = 14;

export class Stage {
  readonly node = make("div", { class: "view" });
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera: PerspectiveCamera | OrthographicCamera;
  private readonly controls: OrbitControls;
  private readonly runs: Run[];
  private readonly actors: Actors[] = [];
  private readonly fittings: Fittings;
  private readonly plane: boolean;
  private readonly box: Box3;
  private readonly size: number;
  private readonly thickness: number;
  private readonly up = new Vector3(0, 0, 1);
  private readonly tip = make("div", { class: "tip", hidden: "" });
  private copies: { actors: Actors; age: number }[] | null = null;
  private copyEvery = 0;
  private readonly trails = new Group();
  private grid: GridHelper | null = null;
  private gridStep = 1;
  private dirty = true;

  constructor(private readonly state: State) {
    this.runs = state.runs.filter((run) => run.scene !== null);
    const first = this.runs[0].scene!;
    this.plane = first.plane;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.camera = this.plane ? new OrthographicCamera() : new PerspectiveCamera(32, 1, 0.01, 1000);
    const gravity = new Vector3(...first.gravity);
    if (gravity.length() > 0) this.up.copy(gravity).normalize().negate();
    else if (this.plane) this.up.set(0, 1, 0);
    if (this.plane && Math.abs(this.up.y) < 0.5) this.up.set(0, 1, 0);

    this.box = this.findBox();
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-6);
    this.thickness = findThickness(first, this.size);
    this.runs.forEach((run, k) => {
      const actors = new Actors(run, (k === 0 ? 1 : 0.8) * this.thickness, {
        colourOf: (body) => colour(this.runs.length > 1 ? run.index : body),
        opacity: k === 0 ? 1 : 0.6,
      });
      this.actors.push(actors);
      this.scene.add(actors.group);
    });
    this.fittings = new Fittings(this.runs[0], this.actors[0], this.thickness, this.size, this.up.clone().negate());
    this.scene.add(this.fittings.group, this.trails);
    this.addLight();
    this.addGrid();

    this.node.classList.toggle("wide", this.aspectOfBox() > 5);
    this.node.append(this.renderer.domElement, this.cameraButtons(), this.legend(), this.corner(), this.tip);
    this.renderer.domElement.setAttribute("aria-label", "Animation of the mechanism");
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => { this.dirty = true; });
    this.look(this.plane ? "front" : "corner");
    this.listen();
    this.setTheme();
  }

  private findBox(): Box3 {
    const box = new Box3();
    const poses = new Float64Array(Math.max(...this.runs.map((run) => run.scene!.bodies.length)) * POSE);
    for (const run of this.runs) {
      const scene = run.scene!;
      const points = scene.bodies.map((_, body) => {
        const reach = reachOf(scene, body);
        const own = pointsOf(scene, body);
        if (own.length === 0 || scene.bodies[body].shape.kind === "disc" || scene.bodies[body].shape.kind === "sphere") {
          own.push(new Vector3(reach, 0, 0), new Vector3(-reach, 0, 0), new Vector3(0, reach, 0), new Vector3(0, -reach, 0));
        }
        return own;
      });
      const frames = Math.min(run.frameTimes.length, 150);
      for (let k = 0; k < frames; ++k) {
        run.posesAt(run.frameTimes[Math.floor((k * (run.frameTimes.length - 1)) / Math.max(frames - 1, 1))], poses);
        scene.bodies.forEach((_, body) => {
          const o = body * POSE;
          const q = { x: poses[o + 3], y: poses[o + 4], z: poses[o + 5], w: poses[o + 6] } as never;
          for (const point of points[body]) {
            const at = point.clone().applyQuaternion(q);
            at.x += poses[o]; at.y += poses[o + 1]; at.z += poses[o + 2];
            if (Number.isFinite(at.x + at.y + at.z)) box.expandByPoint(at);
          }
        });
      }
      for (const element of scene.elements) {
        for (const frame of element.frames) if (frame.body < 0) box.expandByPoint(new Vector3(...frame.at));
      }
    }
    if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    return box.expandByScalar(0.04 * box.getSize(new Vector3()).length());
  }

  private aspectOfBox() {
    const size = this.box.getSize(new Vector3());
    return this.plane ? size.x / Math.max(size.y, 1e-9) : 1;
  }

  private addLight() {
    const key = new DirectionalLight("#ffffff", 2.1);
    key.position.copy(this.up).multiplyScalar(2).add(new Vector3(0.8, -0.5, 1.6));
    const fill = new DirectionalLight("#ffffff", 0.6);
    fill.position.set(-1, 0.6, -0.8);
    this.scene.add(new AmbientLight("#ffffff", 1.25), key, fill);
  }

  /** Lines 1, 2 or 5 times a power of ten apart: behind a planar mechanism, under a spatial one. */
  private addGrid() {
    const size = this.box.getSize(new Vector3());
    const span = Math.max(size.x, size.y, size.z);
    const raw = span / 8;
    const power = 10 ** Math.floor(Math.log10(raw));
    this.gridStep = power * (raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : raw / power < 7.5 ? 5 : 10);
    const cells = 2 * Math.ceil((1.3 * span) / this.gridStep);
    const grid = new GridHelper(cells * this.gridStep, cells);
    const centre = this.box.getCenter(new Vector3());
    const snap = (x: number) => Math.round(x / this.gridStep) * this.gridStep;
    if (this.plane) {
      grid.rotation.x = Math.PI / 2;
      grid.position.set(snap(centre.x), snap(centre.y), -4 * this.thickness);
    } else {
      grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
      const reach = Math.abs(size.dot(new Vector3(Math.abs(this.up.x), Math.abs(this.up.y), Math.abs(this.up.z)))) / 2;
      grid.position.copy(centre).addScaledVector(this.up, -reach - 2 * this.thickness);
    }
    this.grid = grid;
    this.scene.add(grid);
  }

  // ---- what stands on top of the picture ----------------------------------------------------------

  private cameraButtons(): HTMLElement {
    const views: [string, string][] = [["front", "Front"], ["top", "Top"], ["side", "Side"], ["corner", "Corner"]];
    const buttons = views.map(([key, label]) => button(label, `Look from the ${key}`, () => this.look(key)));
    return make("div", { class: "cameras" }, ...buttons,
      button("Zoom", "Zoom to what is selected, or to everything (F)", () => this.zoom()));
  }

  private legend(): HTMLElement {
    const list = make("div", { class: "legend" });
    if (this.runs.length < 2) return list;
    for (const run of this.runs) {
      const swatch = make("span", { class: "swatch" });
      swatch.style.background = colour(run.index);
      list.append(make("div", {}, swatch, run.label));
    }
    return list;
  }

  private corner(): HTMLElement {
    const size = this.box.getSize(new Vector3());
    const extent = this.plane ? `${format(size.x, 2)} × ${format(size.y, 2)} m` : "";
    return make("div", { class: "corner" }, `Grid ${format(this.gridStep, 2)} m${extent ? ", view " + extent : ""}`);
  }

  // ---- camera -------------------------------------------------------------------------------------

  look(key: string) {
    const up = this.plane ? new Vector3(0, 1, 0) : this.up;
    const side = new Vector3(0, 0, 1);
    if (!this.plane && Math.abs(up.z) > 0.7) side.set(0, -1, 0);  // z up: the front is -y
    const right = up.clone().cross(side).normalize();
    const front = right.clone().cross(up).normalize();
    const directions: Record<string, Vector3> = {
      front, top: up.clone().addScaledVector(front, 1e-3), side: right,
      corner: front.clone().addScaledVector(right, 0.75).addScaledVector(up, 0.55),
    };
    this.aim(this.box, directions[key].normalize());
  }

  private aim(box: Box3, direction: Vector3) {
    const sphere = box.getBoundingSphere(new Sphere());
    const radius = Math.max(sphere.radius, 3 * this.thickness);
    this.camera.up.copy(this.plane ? new Vector3(0, 1, 0) : this.up);
    this.resize();
    const camera = this.camera;
    if (camera instanceof PerspectiveCamera) {
      const distance = this.fitDistance(box, direction, camera);
      camera.position.copy(sphere.center).addScaledVector(direction, distance);
      camera.near = distance / 200;
      camera.far = distance + 40 * this.size;
    } else {
      camera.position.copy(sphere.center).addScaledVector(direction, 4 * this.size + radius);
      camera.near = 0.01 * this.size;
      camera.far = 12 * this.size;
      camera.lookAt(sphere.center);
      camera.zoom = this.fitZoom(box);
    }
    camera.updateProjectionMatrix();
    if (this.controls) {
      this.controls.target.copy(sphere.center);
      this.controls.update();
    }
    this.dirty = true;
  }

  private corners(box: Box3): Vector3[] {
    const list: Vector3[] = [];
    for (const x of [box.min.x, box.max.x]) for (const y of [box.min.y, box.max.y]) for (const z of [box.min.z, box.max.z]) {
      list.push(new Vector3(x, y, z));
    }
    return list;
  }

  /** How near a perspective camera may come with all corners of the box in view. */
  private fitDistance(box: Box3, direction: Vector3, camera: PerspectiveCamera): number {
    const centre = box.getCenter(new Vector3());
    const right = camera.up.clone().cross(direction).normalize();
    const up = direction.clone().cross(right);
    const tall = Math.tan((camera.fov * Math.PI) / 360);
    let distance = 0;
    for (const corner of this.corners(box)) {
      const at = corner.sub(centre);
      const near = at.dot(direction);
      distance = Math.max(distance, near + Math.abs(at.dot(up)) / tall, near + Math.abs(at.dot(right)) / (tall * camera.aspect));
    }
    return 1.06 * distance;
  }

  private fitZoom(box: Box3): number {
    this.camera.updateMatrixWorld();
    let x = 1e-9, y = 1e-9;
    for (const corner of this.corners(box)) {
      corner.applyMatrix4(this.camera.matrixWorldInverse);
      x = Math.max(x, Math.abs(corner.x));
      y = Math.max(y, Math.abs(corner.y));
    }
    const { clientWidth, clientHeight } = this.node;
    const aspect = clientWidth / Math.max(clientHeight, 1) || 1.6;
    return Math.min(1 / y, aspect / x) * 0.97;
  }

  zoom() {
    const selection = this.state.selection;
    const box = new Box3();
    if (selection?.kind === "body") {
      const body = this.runs[0].scene!.bodies.findIndex((each) => each.name === selection.name);
      if (body >= 0) box.setFromObject(this.actors[0].bodies[body]);
    } else if (selection) {
      const at = this.fittings.find(selection.name);
      if (at) box.setFromCenterAndSize(at, new Vector3(1, 1, 1).multiplyScalar(16 * this.thickness));
    }
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.aim(box.isEmpty() ? this.box : box.expandByScalar(0.15 * box.getSize(new Vector3()).length()), direction);
  }

  private resize() {
    const width = this.node.clientWidth || 640, height = this.node.clientHeight || 400;
    this.renderer.setSize(width, height, false);
    if (this.camera instanceof PerspectiveCamera) {
      this.camera.aspect = width / height;
    } else {
      const aspect = width / height;
      [this.camera.left, this.camera.right, this.camera.top, this.camera.bottom] = [-aspect, aspect, 1, -1];
    }
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  // ---- pointing -----------------------------------------------------------------------------------

  private listen() {
    let first = true;
    new ResizeObserver(() => {
      this.resize();
      if (first) this.look(this.plane ? "front" : "corner");
      first = false;
    }).observe(this.node);
    const canvas = this.renderer.domElement;
    let down: { x: number; y: number } | null = null;
    canvas.addEventListener("pointerdown", (event) => { down = { x: event.clientX, y: event.clientY }; });
    canvas.addEventListener("pointerup", (event) => {
      if (down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5) this.click(event);
      down = null;
    });
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    for (const topic of ["time", "selection", "options"] as const) this.state.on(topic, () => { this.dirty = true; });
    this.state.on("selection", () => this.highlight());
    this.state.on("trails", () => this.drawTrails());
    this.state.on("theme", () => this.setTheme());
  }

  private pick(event: PointerEvent): { object: Object3D; point: Vector3 } | null {
    const bounds = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2(((event.clientX - bounds.left) / bounds.width) * 2 - 1, 1 - ((event.clientY - bounds.top) / bounds.height) * 2);
    const ray = new Raycaster();
    ray.params.Line.threshold = this.thickness;
    ray.setFromCamera(at, this.camera);
    const hits = ray.intersectObjects([this.fittings.group, ...this.actors.map((each) => each.group)], true);
    return hits.find((hit) => hit.object.userData.name !== undefined && hit.object.visible) ?? null;
  }

  private hover(event: PointerEvent) {
    const hit = event.buttons === 0 ? this.pick(event) : null;
    this.tip.hidden = hit === null;
    this.renderer.domElement.style.cursor = hit ? "pointer" : this.state.placingTrail ? "crosshair" : "";
    if (!hit) return;
    const { kind, name, run } = hit.object.userData as { kind: string; name: string; run?: number };
    const element = this.runs[0].scene!.elements.find((each) => each.name === name && each.kind === kind);
    const other = this.runs.length > 1 && run !== undefined ? ` – ${this.state.runs[run].label}` : "";
    this.tip.textContent = `${element ? element.type.replace(/_/g, " ") : kind} ${name}${other}`;
    const bounds = this.node.getBoundingClientRect();
    this.tip.style.left = `${Math.min(event.clientX - bounds.left, bounds.width - 180)}px`;
    this.tip.style.top = `${Math.min(event.clientY - bounds.top, bounds.height - 44)}px`;
  }

  private click(event: PointerEvent) {
    const hit = this.pick(event);
    if (!hit) { if (this.state.selection) this.state.select(null); return; }
    const data = hit.object.userData as { kind: Selection["kind"]; name: string; body?: number; run?: number };
    if (!this.state.placingTrail) { this.state.select({ kind: data.kind, name: data.name }); return; }
    if (data.body === undefined || data.run === undefined) { this.addTrailOf({ kind: data.kind, name: data.name }); return; }
    const actors = this.actors.find((each) => each.run.index === data.run)!;
    const group = actors.bodies[data.body];
    const local = hit.point.clone().sub(group.position).applyQuaternion(group.quaternion.clone().invert());
    if (this.plane) local.z = 0;
    this.state.trails.push({ run: data.run, body: data.body, at: [local.x, local.y, local.z], label: data.name });
    this.state.tell("trails");
  }

  /** The trail of a joint, or of a body's mass centre. */
  addTrailOf(selection: Selection) {
    const scene = this.runs[0].scene!;
    const run = this.runs[0].index;
    if (selection.kind === "body") {
      const body = scene.bodies.findIndex((each) => each.name === selection.name);
      if (body >= 0) this.state.trails.push({ run, body, at: [0, 0, 0], label: selection.name });
    } else {
      const frames = scene.elements.find((each) => each.name === selection.name)?.frames ?? [];
      const frame = frames.slice().reverse().find((each) => each.body >= 0);
      if (frame) this.state.trails.push({ run, body: frame.body, at: frame.at, label: selection.name });
    }
    this.state.tell("trails");
  }

  private drawTrails() {
    for (const child of this.trails.children as Line[]) child.geometry.dispose();
    this.trails.clear();
    this.state.trails.forEach((trail, k) => {
      const actors = this.actors.find((each) => each.run.index === trail.run);
      if (!actors) return;
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(actors.path(trail.body, trail.at), 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: colour(k + 3), transparent: true, opacity: 0.9 }));
      line.frustumCulled = false;
      line.userData = { times: actors.run.frameTimes };
      this.trails.add(line);
    });
    this.dirty = true;
  }

  private highlight() {
    const selection = this.state.selection;
    for (const actors of this.actors) {
      actors.run.scene!.bodies.forEach((body, k) => {
        const chosen = selection?.kind === "body" && selection.name === body.name;
        actors.materials[k].emissive = new Color(chosen ? colour(this.runs.length > 1 ? actors.run.index : k) : "#000000");
        actors.materials[k].emissiveIntensity = chosen ? 0.75 : 0;
      });
    }
    this.dirty = true;
  }

  private setTheme() {
    const dark = document.documentElement.dataset.theme === "dark";
    this.fittings.setColours(dark);
    const material = this.grid!.material as LineBasicMaterial;
    material.vertexColors = false;
    material.color = new Color(dark ? "#2b3746" : "#d3dae4");
    material.needsUpdate = true;
    this.dirty = true;
  }

  // ---- stroboscopic view --------------------------------------------------------------------------

  /** Copies so far apart in time that the fastest body moves by a tenth of the scene between two of them. */
  private makeCopies() {
    const actors = this.actors[0];
    const run = this.runs[0];
    const times = run.frameTimes;
    const count = Math.min(times.length, 2000);
    let longest = 0;
    const bodies = run.scene!.bodies.length;
    for (let body = 0; body < bodies; body += Math.max(1, Math.floor(bodies / 12))) {
      const path = actors.path(body, [0, 0, 0], count);
      let length = 0;
      for (let k = 3; k < path.length; k += 3) length += Math.hypot(path[k] - path[k - 3], path[k + 1] - path[k - 2], path[k + 2] - path[k - 1]);
      longest = Math.max(longest, length);
    }
    const span = times[count - 1] - times[0];
    const reach = Math.max(...run.scene!.bodies.map((_, body) => reachOf(run.scene!, body)));
    this.copyEvery = longest > 0 ? (0.35 * reach * span) / longest : span / COPIES;
    const number = bodies > 60 ? 4 : COPIES;
    this.copies = [];
    for (let age = 1; age <= number; ++age) {
      const copy = new Actors(run, 0.6 * this.thickness, {
        colourOf: (body) => colour(this.runs.length > 1 ? run.index : body), opacity: 0.42 * (1 - age / (number + 2)),
      });
      copy.group.traverse((part) => { part.userData = {}; });
      this.scene.add(copy.group);
      this.copies.push({ actors: copy, age });
    }
  }

  private showCopies() {
    if (this.state.strobe && !this.copies) this.makeCopies();
    for (const { actors, age } of this.copies ?? []) {
      const t = this.state.time - age * this.copyEvery;
      actors.group.visible = this.state.strobe && t >= this.state.begin;
      if (actors.group.visible) actors.moveTo(t);
    }
  }

  /** Draws if something has changed. */
  draw() {
    if (!this.dirty) return;
    this.dirty = false;
    for (const actors of this.actors) {
      const times = actors.run.frameTimes;
      actors.moveTo(this.state.time);
      // A run that ended before has no place now; the first one stays where it was.
      actors.group.visible = actors === this.actors[0] || this.state.time <= times[times.length - 1] + 1e-9;
    }
    this.fittings.update(this.state.time, this.plane, this.state.reactions);
    this.showCopies();
    for (const line of this.trails.children as Line[]) {
      const shown = findBefore(line.userData.times as Float64Array, this.state.time) + 1;
      line.geometry.setDrawRange(0, Math.max(shown, 2));
    }
    this.renderer.render(this.scene, this.camera);
  }
}

export type { MeshLambertMaterial };

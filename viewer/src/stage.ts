// The 3-D view: bodies of all runs, what belongs to none of them, and pointing at them.

import { Box3, Color, Object3D, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { Actors } from "./actors";
import { outlineOfBuffers } from "./buffers";
import { Camera } from "./camera";
import type { Run, SceneData } from "./data";
import { button, format, make } from "./dom";
import { Fittings, listMounts } from "./fittings";
import { Loads } from "./loads";
import { findThickness, outlineOfFoot } from "./shapes";
import { colour, type Selection, type State } from "./state";
import { Strobe } from "./strobe";
import { findExtent, Grid, makeLights } from "./surroundings";
import { Trails, trailOf } from "./trails";

/** Against gravity; in the plane y, unless gravity says otherwise. */
function findUp(scene: SceneData): Vector3 {
  const up = new Vector3(...scene.gravity).negate();
  if (up.length() === 0) return scene.plane ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
  up.normalize();
  return scene.plane && Math.abs(up.y) < 0.5 ? new Vector3(0, 1, 0) : up;
}

export class Stage {
  readonly node = make("div", { class: "view" });
  readonly wide: boolean;  // much wider than high
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera: Camera;
  private readonly runs: Run[];
  private actors: Actors[] = [];
  private fittings!: Fittings;
  private loads!: Loads;
  private trails!: Trails;
  private strobe!: Strobe;
  private readonly grid: Grid;
  private readonly plane: boolean;
  private readonly up: Vector3;
  private readonly box: Box3;
  private readonly size: number;
  private readonly thickness: number;
  private readonly tip = make("div", { class: "tip", hidden: "" });
  readonly legend = make("div", { class: "legend" });  // over the picture; on a phone below it
  private readonly corner = make("div", { class: "corner" });
  private dirty = true;

  constructor(private readonly state: State) {
    this.runs = state.runs.filter((run) => run.scene !== null);
    const first = this.runs[0].scene!;
    this.plane = first.plane;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.up = findUp(first);
    const bare = findExtent(this.runs, 0).box.getSize(new Vector3()).length();
    this.thickness = findThickness(first, Math.max(bare, 1e-6));
    const down = this.up.clone().negate();
    const feet = listMounts(this.runs[0], this.thickness, down).flatMap((mount) => outlineOfFoot(mount, this.thickness));
    const extent = findExtent(this.runs, this.thickness, [...feet, ...outlineOfBuffers(this.runs[0], this.thickness)]);
    this.box = extent.box;
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-6);
    this.grid = new Grid(this.box, this.plane, this.thickness, this.up);
    this.scene.add(this.grid.lines, ...makeLights(this.up));
    this.build();

    const sides = this.box.getSize(new Vector3());
    this.wide = this.plane && sides.x > 5 * sides.y;
    this.node.classList.toggle("wide", this.wide);
    this.node.style.setProperty("--flatness", (sides.y / sides.x).toFixed(4));
    this.renderer.domElement.setAttribute("aria-label", "Animation of the mechanism");
    this.node.append(this.renderer.domElement);
    const redraw = () => { this.dirty = true; };
    this.camera = new Camera({ plane: this.plane, ...extent, size: this.size, thickness: this.thickness, up: this.up }, this.renderer, this.node, redraw);
    this.node.append(this.camera.buttons(() => this.zoom()), this.corner, this.tip);
    this.listen();
    this.setTheme();
    this.showLegend();
    this.showCorner();
  }

  private colourOf(run: Run, body: number) { return colour(this.runs.length > 1 ? run.index : body); }

  /** The run whose joints and loads are shown; the others are ghosts. */
  private get main(): Run { return this.runs.includes(this.state.run) ? this.state.run : this.runs[0]; }
  private get mainActors(): Actors { return this.actors[this.runs.indexOf(this.main)]; }

  /** All that depends on which run that is. */
  private build() {
    const old = [this.fittings?.group, this.loads?.group, this.trails?.group, ...this.actors.map((each) => each.group)].filter(Boolean);
    this.strobe?.remove();
    this.scene.remove(...old);
    const run = this.main;
    this.actors = this.runs.map((each) => new Actors(each, (each === run ? 1 : 0.8) * this.thickness, {
      colourOf: (body) => this.colourOf(each, body), opacity: each === run ? 1 : 0.6,
    }));
    const main = this.mainActors;
    this.fittings = new Fittings(run, main, this.thickness, this.size, this.up.clone().negate());
    this.loads = new Loads(this.state, run, main, this.thickness, this.size);
    this.trails = new Trails(this.state, this.actors, this.thickness);
    this.trails.rebuild();
    this.strobe = new Strobe(this.state, run, main, this.scene, this.thickness, (body) => this.colourOf(run, body));
    this.scene.add(this.fittings.group, this.loads.group, this.trails.group, ...this.actors.map((each) => each.group));
  }

  // ---- what stands on top of the picture ----------------------------------------------------------

  /** Runs by their colours: a click shows the joints and loads of that one. Of a single run the trails by theirs. */
  private showLegend() {
    const swatchOf = (tint: string) => {
      const swatch = make("span", { class: "swatch" });
      swatch.style.background = tint;
      return swatch;
    };
    if (this.runs.length === 1) {
      this.legend.replaceChildren(...this.state.trails.slice(0, 8).map((trail) => make("div", {}, swatchOf(this.trails.colourOf(trail)), trail.label)));
      return;
    }
    this.legend.replaceChildren(...this.runs.slice(0, 12).map((run) => {
      const each = button("", `Show the joints, loads and reactions of the run ${run.label} (N: the next run)`, () => this.state.chooseRun(run), run === this.main);
      each.append(swatchOf(colour(run.index)), run.label);
      return make("div", {}, each);
    }));
  }

  private showCorner() {
    const { viewed } = this.camera;
    const parts = [`Grid ${format(this.grid.step, 2)} m`];
    const scale = this.loads.scaleOf(this.grid.step);
    if (this.loads.shown && scale.force > 0) parts.push(`as an arrow ${format(scale.force, 2)} N`);
    if (this.loads.shown && scale.torque > 0) parts.push(`as an arc ${format(scale.torque, 2)} N·m`);
    if (viewed && !this.loads.shown) parts.push(`view ${format(viewed.width, 2)} × ${format(viewed.height, 2)} m`);
    this.corner.textContent = parts.join(", ");
  }

  // ---- camera -------------------------------------------------------------------------------------

  look(key: string) { this.camera.look(key); }

  zoom() {
    const selection = this.state.selection;
    const box = new Box3();
    if (selection?.kind === "body") {
      const body = this.main.scene!.bodies.findIndex((each) => each.name === selection.name);
      if (body >= 0) box.setFromObject(this.mainActors.bodies[body]);
    } else if (selection) {
      const at = this.fittings.find(selection.name);
      if (at) box.setFromCenterAndSize(at, new Vector3(1, 1, 1).multiplyScalar(16 * this.thickness));
    }
    this.camera.zoomTo(box);
  }

  // ---- pointing -----------------------------------------------------------------------------------

  private listen() {
    const canvas = this.renderer.domElement;
    let down: { x: number; y: number } | null = null;
    canvas.addEventListener("pointerdown", (event) => { down = { x: event.clientX, y: event.clientY }; });
    canvas.addEventListener("pointerup", (event) => {
      if (down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5) this.click(event);
      down = null;
    });
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; this.corner.style.visibility = ""; });
    for (const topic of ["time", "selection", "options"] as const) this.state.on(topic, () => { this.dirty = true; });
    this.state.on("selection", () => this.highlight());
    this.state.on("trails", () => { this.trails.rebuild(); this.showLegend(); this.dirty = true; });
    this.state.on("theme", () => this.setTheme());
    this.state.on("run", () => { this.build(); this.setTheme(); this.highlight(); this.showLegend(); });
  }

  private pick(event: PointerEvent): { object: Object3D; point: Vector3 } | null {
    const bounds = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2(((event.clientX - bounds.left) / bounds.width) * 2 - 1, 1 - ((event.clientY - bounds.top) / bounds.height) * 2);
    const ray = new Raycaster();
    ray.params.Line.threshold = this.thickness;
    ray.params.Line2 = { threshold: 8 };  // pixels
    ray.setFromCamera(at, this.camera.lens);
    const hits = ray.intersectObjects([this.fittings.group, ...this.actors.map((each) => each.group)], true);
    return hits.find((hit) => hit.object.userData.name !== undefined && hit.object.visible) ?? null;
  }

  private hover(event: PointerEvent) {
    const hit = event.buttons === 0 ? this.pick(event) : null;
    this.tip.hidden = hit === null;
    this.renderer.domElement.style.cursor = hit ? "pointer" : this.state.placingTrail ? "crosshair" : "";
    this.corner.style.visibility = "";
    if (!hit) return;
    const { kind, name, run } = hit.object.userData as { kind: string; name: string; run?: number };
    const element = this.main.scene!.elements.find((each) => each.name === name && each.kind === kind);
    const other = this.runs.length > 1 && run !== undefined ? ` – ${this.state.runs[run].label}` : "";
    this.tip.textContent = `${element ? element.type.replace(/_/g, " ") : kind} ${name}${other}`;
    const bounds = this.node.getBoundingClientRect();
    this.tip.style.left = `${Math.min(event.clientX - bounds.left, bounds.width - 180)}px`;
    this.tip.style.top = `${Math.min(event.clientY - bounds.top, bounds.height - 44)}px`;
    const [tip, corner] = [this.tip.getBoundingClientRect(), this.corner.getBoundingClientRect()];
    if (tip.left < corner.right && tip.right > corner.left && tip.bottom > corner.top) this.corner.style.visibility = "hidden";
  }

  private click(event: PointerEvent) {
    const hit = this.pick(event);
    if (!hit) { if (this.state.selection) this.state.select(null); return; }
    const data = hit.object.userData as { kind: Selection["kind"]; name: string; body?: number; run?: number };
    if (!this.state.placingTrail) { this.state.select({ kind: data.kind, name: data.name }); return; }
    if (data.body === undefined || data.run === undefined) { this.toggleTrailOf({ kind: data.kind, name: data.name }); return; }
    const group = this.actors.find((each) => each.run.index === data.run)!.bodies[data.body];
    const local = hit.point.clone().sub(group.position).applyQuaternion(group.quaternion.clone().invert());
    if (this.plane) local.z = 0;
    this.state.toggleTrail({ body: data.name, at: [local.x, local.y, local.z], label: `point on ${data.name}` });
  }

  toggleTrailOf(selection: Selection) {
    const trail = trailOf(selection, this.main.scene!);
    if (trail) this.state.toggleTrail(trail);
  }

  private highlight() {
    const selection = this.state.selection;
    for (const actors of this.actors) {
      actors.run.scene!.bodies.forEach((body, k) => {
        const chosen = selection?.kind === "body" && selection.name === body.name;
        actors.materials[k].emissive = new Color(chosen ? this.colourOf(actors.run, k) : "#000000");
        actors.materials[k].emissiveIntensity = chosen ? 0.75 : 0;
      });
    }
    this.dirty = true;
  }

  private setTheme() {
    const dark = document.documentElement.dataset.theme === "dark";
    this.fittings.setColours(dark);
    this.loads.setColours(dark);
    this.grid.setColours(dark);
    this.dirty = true;
  }

  /** Draws if something has changed. */
  draw() {
    if (!this.dirty) return;
    this.dirty = false;
    const { time } = this.state;
    for (const actors of this.actors) {
      const times = actors.run.frameTimes;
      actors.moveTo(time);
      // A run that ended before has no place now; the chosen one stays where it was.
      actors.group.visible = actors === this.mainActors || time <= times[times.length - 1] + 1e-9;
    }
    this.fittings.update(this.plane);
    this.loads.update(time);
    this.strobe.update();
    this.trails.update(time);
    this.showCorner();
    this.renderer.render(this.scene, this.camera.lens);
  }
}

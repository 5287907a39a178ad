// What the program put into the page: runs with their reports, columns and poses. Numbers stay in Base64 until somebody
// looks at them, so that a page with thousands of columns opens at once.

export type Vec = [number, number, number];
/** Numbers are in SI, `unit`; people see them in `shown`: value / factor. */
export interface Column { name: string; unit: string; shown: string; factor: number }
export interface Shape {
  kind: "" | "rod" | "cylinder" | "cone" | "box" | "sphere" | "disc";
  from: Vec; to: Vec; size: Vec; axis: Vec; radius: number; thickness: number;
}
export interface Frame { body: number; at: Vec; x: Vec; z: Vec }
export interface Mark { name: string; frame: boolean; at: Vec; x: Vec; z: Vec }
export interface Body { name: string; point: boolean; mass: number; mesh: number; shape: Shape; marks: Mark[] }
/** Turns about z of its frame. */
export interface Wheel { frame: Frame; radius: number }
/** Of a joint: how many independent turns it leaves, and the one direction of a shift, along the first frame's axes (or 0). */
export interface Element {
  kind: "joint" | "constraint" | "force" | "measure"; name: string; type: string; frames: Frame[]; turns: number; slide: Vec; of: string;
  pulleys?: Wheel[]; crossed?: boolean;  // of a belt
  low?: number; high?: number;           // of a stop, SI
}
export interface SceneData { plane: boolean; gravity: Vec; bodies: Body[]; elements: Element[] }
export interface Report {
  status: string; message: string; t_end: number | null; steps: number; rejected: number; evaluations: number;
  factorisations: number; cpu_seconds: number | null; max_phi: number | null; max_phi_dot: number | null;
  max_energy_error: number | null; dof: number; rows: number; rank: number; min_rank: number; redundant: string[];
  warnings: string[]; not_unique: string[]; figures: { name: string; value: number | null }[];
  seconds: { name: string; value: number | null }[];
  worst: string; remedy: string;
}
interface RunJson {
  label: string; complete: boolean; samples: number; points: number; rows_per_bucket: number; bytes: 4 | 8; note: string;
  info: {
    model: string; description: string; file: string; text: string; sha256: string; method: string; options: string; settings: string; version: string;
    parameters: { name: string; value: number | null }[];
  };
  report: Report | null; columns: Column[]; scene: SceneData | null; frames?: number; rows_per_frame?: number;
  sampled?: number[];  // columns that are also there frame by frame
}
export type Numbers = Float64Array | Float32Array;

/** Values at times: those of one moment belong together, unlike the smallest and the largest of a thinned column. */
export interface Track { times: Numbers; values: Numbers }
/** The value at a time: that of the last one before it. */
export const valueAt = ({ times, values }: Track, t: number): number => values[findBefore(times, t)] ?? NaN;

function decode(text: string): ArrayBuffer {
  const known = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array };
  if (known.fromBase64) return known.fromBase64(text).buffer as ArrayBuffer;
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; ++k) bytes[k] = raw.charCodeAt(k);
  return bytes.buffer;
}

const base64Length = (bytes: number) => 4 * Math.ceil(bytes / 3);
const blockText = (id: string) => document.getElementById(id)?.textContent ?? "";

/** Position and quaternion (x, y, z, w) of a body, as three.js has them. */
export type Pose = Float64Array;
export const POSE = 7;

export class Run {
  readonly frameTimes: Float64Array;
  private readonly poses: Float32Array;
  private readonly offsets: number[] = [];  // first number of each body in a frame
  private readonly width: number;
  private readonly smooth: boolean;         // false: too far apart to go between frames
  private readonly decoded = new Map<number, Numbers>();
  private readonly byName = new Map<string, number>();
  private text: string | null = null;

  constructor(readonly json: RunJson, readonly index: number) {
    json.columns.forEach((column, k) => this.byName.set(column.name, k));
    let width = 0;
    for (const body of json.scene?.bodies ?? []) {
      this.offsets.push(width);
      width += json.scene!.plane ? (body.point ? 2 : 3) : body.point ? 3 : 7;
    }
    this.width = width;
    const frames = json.frames ?? 0;
    const text = frames > 0 ? blockText("p" + index) : "";
    const length = base64Length(8 * frames);
    this.frameTimes = frames > 0 ? new Float64Array(decode(text.slice(0, length))) : new Float64Array();
    this.poses = frames > 0 ? new Float32Array(decode(text.slice(length))) : new Float32Array();
    this.smooth = this.turnsSlowly();
  }

  get label() { return this.json.label; }
  get scene() { return this.json.scene; }
  get report() { return this.json.report; }
  get columns() { return this.json.columns; }
  get times() { return this.column(0); }
  find(name: string) { return this.byName.get(name) ?? -1; }

  column(index: number): Numbers {
    let numbers = this.decoded.get(index);
    if (!numbers) {
      this.text ??= blockText("c" + this.index);
      const length = base64Length(this.json.bytes * this.json.points);
      const buffer = decode(this.text.slice(index * length, (index + 1) * length));
      numbers = this.json.bytes === 8 ? new Float64Array(buffer) : new Float32Array(buffer);
      this.decoded.set(index, numbers);
    }
    return numbers;
  }

  named(name: string): Numbers | null {
    const index = this.find(name);
    return index < 0 ? null : this.column(index);
  }

  track(name: string): Track | null {
    const index = this.find(name);
    if (index < 0) return null;
    const place = this.json.sampled?.indexOf(index) ?? -1;
    if (place < 0) return { times: this.times, values: this.column(index) };
    const length = base64Length(4 * this.frameTimes.length);
    return { times: this.frameTimes, values: new Float32Array(decode(blockText("l" + this.index).slice(place * length, (place + 1) * length))) };
  }

  private turnsSlowly(): boolean {
    const scene = this.json.scene;
    if (!scene) return true;
    const count = this.frameTimes.length;
    const step = Math.max(1, Math.floor(count / 400));
    for (let frame = 0; frame + 1 < count; frame += step) {
      for (let body = 0; body < scene.bodies.length; ++body) {
        if (scene.bodies[body].point) continue;
        const a = frame * this.width + this.offsets[body];
        const b = a + this.width;
        if (scene.plane) {
          if (Math.abs(this.poses[b + 2] - this.poses[a + 2]) > 1) return false;
        } else {
          let dot = 0;
          for (let k = 3; k < 7; ++k) dot += this.poses[a + k] * this.poses[b + k];
          if (Math.abs(dot) < Math.cos(0.5)) return false;
        }
      }
    }
    return true;
  }

  /** Poses of all bodies at a time, POSE numbers each. Between frames a cubic through four of them (Catmull, Rom). */
  posesAt(t: number, out: Pose): void {
    const times = this.frameTimes;
    const last = times.length - 1;
    let k = findBefore(times, t);
    let u = k < last && times[k + 1] > times[k] ? Math.min(1, Math.max(0, (t - times[k]) / (times[k + 1] - times[k]))) : 0;
    if (!this.smooth) { if (u > 0.5) ++k; u = 0; }
    const frames = [Math.max(k - 1, 0), k, Math.min(k + 1, last), Math.min(k + 2, last)];
    const u2 = u * u, u3 = u2 * u;
    const weights = [(-u3 + 2 * u2 - u) / 2, (3 * u3 - 5 * u2 + 2) / 2, (-3 * u3 + 4 * u2 + u) / 2, (u3 - u2) / 2];
    if (k === 0 || k + 2 > last) { weights[0] = 0; weights[1] = 1 - u; weights[2] = u; weights[3] = 0; }
    const scene = this.json.scene!;
    for (let body = 0; body < scene.bodies.length; ++body) {
      this.poseOf(body, scene.bodies[body].point, scene.plane, frames, weights, out);
    }
  }

  private poseOf(body: number, point: boolean, plane: boolean, frames: number[], weights: number[], out: Pose): void {
    const to = body * POSE;
    const reference = frames[1] * this.width + this.offsets[body];
    const p = this.poses;
    out.fill(0, to, to + POSE);
    let angle = 0;
    for (let i = 0; i < 4; ++i) {
      const from = frames[i] * this.width + this.offsets[body];
      const w = weights[i];
      out[to] += w * p[from];
      out[to + 1] += w * p[from + 1];
      if (!plane) out[to + 2] += w * p[from + 2];
      if (point) continue;
      if (plane) { angle += w * p[from + 2]; continue; }
      let dot = 0;
      for (let c = 3; c < 7; ++c) dot += p[from + c] * p[reference + c];
      const sign = dot < 0 ? -w : w;  // q and -q are the same attitude
      out[to + 3] += sign * p[from + 4];
      out[to + 4] += sign * p[from + 5];
      out[to + 5] += sign * p[from + 6];
      out[to + 6] += sign * p[from + 3];
    }
    if (point) { out[to + 6] = 1; return; }
    if (plane) { out[to + 5] = Math.sin(angle / 2); out[to + 6] = Math.cos(angle / 2); return; }
    const length = Math.hypot(out[to + 3], out[to + 4], out[to + 5], out[to + 6]) || 1;
    for (let c = 3; c < 7; ++c) out[to + c] /= length;
  }
}

/** The last index whose value is not above t; 0 if all are. */
export function findBefore(times: Numbers, t: number): number {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}

/** Points and corners of triangles, in body axes. */
export interface MeshData { points: Float32Array; triangles: Uint32Array }
const meshes = new Map<number, MeshData>();
let meshSizes: { points: number; triangles: number }[] = [];

export function readMesh(index: number): MeshData {
  let mesh = meshes.get(index);
  if (!mesh) {
    const text = blockText("m" + index);
    const length = base64Length(12 * meshSizes[index].points);
    mesh = { points: new Float32Array(decode(text.slice(0, length))), triangles: new Uint32Array(decode(text.slice(length))) };
    meshes.set(index, mesh);
  }
  return mesh;
}

export function readRuns(): { version: string; runs: Run[] } {
  const data = JSON.parse(blockText("runs")) as { version: string; runs: RunJson[]; meshes: typeof meshSizes };
  meshSizes = data.meshes;
  return { version: data.version, runs: data.runs.map((json, index) => new Run(json, index)) };
}

/** How a run ended. Empty: it is a table that nobody reports of. */
export function endOf(run: Run): string {
  return run.report ? run.report.status : run.json.info.version ? "did not end" : "";
}

/** Why a run is not what was wanted, and what helps; empty: it is. */
export function reasonOf({ report }: Run): string {
  return !report || report.status === "ok" ? "" : [report.message, report.remedy].filter(Boolean).join("; ");
}

/** What columns of runs leave out; empty: nothing. `what`: of the page does so. */
export function describeThinning(runs: Run[], what = "Plots show"): string {
  return runs.filter((run) => run.json.rows_per_bucket > 1).map((run) => {
    const { samples, rows_per_bucket } = run.json;
    return `${runs.length > 1 ? `${run.label}: ${what.toLowerCase()}` : what} the smallest and the largest of every ${rows_per_bucket} of ${samples} samples`;
  }).join("; ");
}

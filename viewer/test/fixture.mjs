// A page made without the program: any names, any number of bodies and points. What the program writes is the same
// (src/driftless/io/page_writer.cpp); here names may be such as no model file allows.
import { readFileSync, writeFileSync } from "node:fs";

export const encode = (numbers) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64");

const SHAPE = { kind: "rod", from: [-0.5, 0, 0], to: [0.5, 0, 0], size: [0, 0, 0], axis: [1, 0, 0], radius: 0, thickness: 0 };

// A wedge.
const MESH = {
  points: new Float32Array([-0.5, 0, 0, 0.5, 0, 0, 0.5, 0.2, 0, -0.5, 0, 0.3]),
  triangles: new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]),
};

/** A chain of bars in space that wave. `values`: what columns hold instead, NAME: (k) => number; `report`: other entries;
    `shapeOf`: of a body; `elements`: instead of a joint before each bar and a force. */
export function makeRun({ bodies, points, frames, samples, nameOf, model, label = "", rates = false, values: own = {}, report = {}, shapeOf = () => SHAPE, elements = null }) {
  const column = (name, unit) => ({ name, unit, shown: unit, factor: 1 });
  const columns = [column("t", "s")];
  const parts = ["x", "y", "z", "q0", "q1", "q2", "q3", ...(rates ? ["x'", "y'", "z'", "wx", "wy", "wz"] : [])];
  for (let k = 0; k < bodies; ++k) for (const part of parts) columns.push(column(`${nameOf(k)}.${part}`, part === "x" ? "m" : ""));
  for (const part of ["force.x", "force.y", "force.z"]) columns.push(column(`${nameOf(0)}_push.${part}`, "N"));
  columns.push(column(nameOf(0) + "_record", "m"), column("phi", ""), column("phi_dot", ""), column("energy_error", "J"));
  columns.push(column("sigma_min", ""), column("step", "s"), column("order", ""));
  const data = columns.map((column, c) => {
    const values = new Float32Array(points);
    for (let k = 0; k < points; ++k) {
      values[k] = own[column.name] ? own[column.name](k) : c === 0 ? (10 * k) / (points - 1) : column.name.startsWith("phi") || column.name === "energy_error"
        ? 1e-12 * Math.abs(Math.sin(k)) : Math.sin(0.01 * k + c);
    }
    return encode(values);
  }).join("");
  const times = new Float64Array(frames), poses = new Float32Array(7 * bodies * frames);
  for (let frame = 0; frame < frames; ++frame) {
    times[frame] = (10 * frame) / (frames - 1);
    for (let k = 0; k < bodies; ++k) {
      const angle = 0.4 * Math.sin(times[frame] + 0.1 * k);
      poses.set([k, Math.sin(times[frame] + 0.2 * k), 0, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)], 7 * (bodies * frame + k));
    }
  }
  return {
    json: {
      label, complete: report !== null, samples, points, rows_per_bucket: samples <= points ? 1 : Math.round((2 * samples) / points), bytes: 4, note: nameOf(0) + " is noted",
      info: { model, description: nameOf(0) + " is described", file: `${model}.toml`, text: `name = "${model}"`, sha256: "0".repeat(64), method: "braun_goldfarb/rk4", options: "step = 0.01", version: "0.0.0", parameters: [{ name: nameOf(0), value: 1 }] },
      report: report && {
        status: "ok", message: "", t_end: 10, steps: samples, rejected: 0, evaluations: 1, factorisations: 1, cpu_seconds: 1,
        max_phi: 1e-12, max_phi_dot: 1e-12, max_energy_error: 1e-12, dof: 1, rows: 2, rank: 1, min_rank: 1,
        redundant: [nameOf(0)], warnings: [nameOf(0)], not_unique: [nameOf(0)], figures: [{ name: nameOf(0), value: 1 }], seconds: [{ name: nameOf(0), value: 1 }], worst: "", remedy: "", ...report,
      },
      columns,
      scene: {
        plane: false, gravity: [0, 0, -9.81],
        bodies: Array.from({ length: bodies }, (_, k) => ({
          name: nameOf(k), point: false, mass: 1, mesh: k === 0 && !elements ? 0 : -1, shape: { ...SHAPE, ...shapeOf(k) },
          marks: [true, false].map((frame) => ({ name: nameOf(k) + (frame ? "F" : "P"), frame, at: [0.5, 0, 0], x: [1, 0, 0], z: [0, 0, 1] })),
        })),
        elements: elements ?? [{ kind: "force", name: nameOf(0) + "_push", type: "point_force", of: "", turns: 0, slide: [0, 0, 0], frames: [{ body: 0, at: [0.5, 0, 0], x: [1, 0, 0], z: [0, 0, 1] }] }, ...Array.from({ length: bodies }, (_, k) => ({
          kind: "joint", name: nameOf(k) + "_joint", type: "spherical", of: "", turns: 3, slide: [0, 0, 0],
          frames: [{ body: k - 1, at: [0.5, 0, 0], x: [1, 0, 0], z: [0, 0, 1] }, { body: k, at: [-0.5, 0, 0], x: [1, 0, 0], z: [0, 0, 1] }],
        }))],
      },
      frames, rows_per_frame: Math.max(1, Math.round(samples / frames)),
    },
    columns: data, poses: encode(times) + encode(poses),
  };
}

export function writePage(template, runs, path) {
  const json = JSON.stringify({ version: "0.0.0", runs: runs.map((run) => run.json), meshes: [{ points: 4, triangles: 4 }] }).replace(/</g, "\\u003c");
  let data = `<script type="application/json" id="runs">${json}</script>\n`;
  runs.forEach((run, k) => {
    data += `<script type="application/octet-stream" id="c${k}">${run.columns}</script>\n`;
    data += `<script type="application/octet-stream" id="p${k}">${run.poses}</script>\n`;
    if (run.loads) data += `<script type="application/octet-stream" id="l${k}">${run.loads}</script>\n`;
  });
  data += `<script type="application/octet-stream" id="m0">${encode(MESH.points)}${encode(MESH.triangles)}</script>\n`;
  writeFileSync(path, readFileSync(template, "utf8").replace("<!--DATA-->", () => data));
}

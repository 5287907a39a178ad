// A work-precision plot: CPU time against error, both by their logarithms, one line per program.

import { groupByLabel, isGood } from "./figures.mjs";

const kColours = ["#c0392b", "#e67e22", "#2c6fbb", "#5dade2", "#16a085", "#8e44ad", "#7f8c8d", "#2e4053", "#b7950b"];
const kWidth = 760, kHeight = 430, kLeft = 70, kRight = 240, kTop = 20, kBottom = 50;

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

function makeAxis(values) {
  const logs = values.map(Math.log10);
  return { low: Math.floor(Math.min(...logs)), high: Math.max(Math.ceil(Math.max(...logs)), Math.floor(Math.min(...logs)) + 1) };
}

/** rows: of one problem and size. Empty if there is nothing to draw. */
export function drawWorkPrecision(rows, unit) {
  const good = rows.filter((row) => isGood(row) && row.error > 0);
  if (good.length < 2) return "";
  const clip = (error) => Math.min(1e2, Math.max(1e-14, error));
  const x = makeAxis(good.map((row) => clip(row.error)));
  const y = makeAxis(good.map((row) => 1e3 * row.cpu));
  const right = kWidth - kRight, bottom = kHeight - kBottom;
  const px = (error) => right - ((Math.log10(clip(error)) - x.low) / (x.high - x.low)) * (right - kLeft);
  const py = (cpu) => bottom - ((Math.log10(1e3 * cpu) - y.low) / (y.high - y.low)) * (bottom - kTop);
  const parts = [`<svg viewBox="0 0 ${kWidth} ${kHeight}" role="img" aria-label="work-precision plot">`];
  for (let k = x.low; k <= x.high; ++k) {
    const at = px(10 ** k).toFixed(1);
    parts.push(`<line x1="${at}" x2="${at}" y1="${kTop}" y2="${bottom}" class="grid"/>`);
    if ((k - x.low) % Math.ceil((x.high - x.low) / 12) === 0) parts.push(`<text x="${at}" y="${bottom + 18}" text-anchor="middle">1e${k}</text>`);
  }
  for (let k = y.low; k <= y.high; ++k) {
    const at = py(10 ** (k - 3)).toFixed(1);
    parts.push(`<line x1="${kLeft}" x2="${right}" y1="${at}" y2="${at}" class="grid"/><text x="${kLeft - 8}" y="${Number(at) + 4}" text-anchor="end">${10 ** k}</text>`);
  }
  parts.push(`<text x="${(kLeft + right) / 2}" y="${kHeight - 8}" text-anchor="middle">error${unit ? `, ${unit}` : ""} (more accurate to the right)</text>`);
  parts.push(`<text transform="translate(16 ${(kTop + bottom) / 2}) rotate(-90)" text-anchor="middle">CPU time, ms</text>`);
  [...groupByLabel(good)].forEach(([label, group], index) => {
    const colour = group[0].ours ? (label.includes("joint") ? "#1e8449" : "#000") : kColours[index % kColours.length];
    const points = group.map((row) => [px(row.error).toFixed(1), py(row.cpu).toFixed(1)]);
    const width = group[0].ours ? 2.5 : 1.3;
    // Methods of one program are separate lines.
    const methods = new Map();
    group.forEach((row, k) => methods.set(row.setting.method ?? "", [...(methods.get(row.setting.method ?? "") ?? []), points[k]]));
    for (const line of methods.values()) parts.push(`<polyline points="${line.map((point) => point.join(",")).join(" ")}" fill="none" stroke="${colour}" stroke-width="${width}"/>`);
    for (const point of points) parts.push(`<circle cx="${point[0]}" cy="${point[1]}" r="3" fill="${colour}"/>`);
    const row = kTop + 14 + 20 * index;
    parts.push(`<line x1="${right + 16}" x2="${right + 40}" y1="${row}" y2="${row}" stroke="${colour}" stroke-width="${width}"/><text x="${right + 46}" y="${row + 4}">${escape(label)}</text>`);
  });
  return `${parts.join("")}</svg>`;
}

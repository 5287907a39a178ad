// A plot as SVG, PNG or CSV.

import { widthOfLabels } from "./axes";
import { describeThinning } from "./data";
import { download, make, shorten } from "./dom";
import type { Panel } from "./panel";

const SVG = "http://www.w3.org/2000/svg";

function draw(parent: Element, tag: string, attributes: Record<string, string | number>, text?: string): Element {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (text !== undefined) node.append(text);
  parent.append(node);
  return node;
}

/** As much of a text as is at most that wide, its middle left out. */
function fit(text: string, width: number, font: string): string {
  const pen = document.createElement("canvas").getContext("2d")!;
  pen.font = font;
  let most = [...text].length;
  while (most > 8 && pen.measureText(shorten(text, most)).width > width) most = Math.floor(0.95 * most);
  return shorten(text, most);
}

interface Ticks { _splits?: (number | null)[]; _values?: (string | null)[] }

/** The plot as it stands on the page, black on white, with title and legend. */
export function makeSvg(panel: Panel): SVGElement {
  const plot = panel.plot!;
  const [xAxis, yAxis] = plot.axes as unknown as Ticks[];
  const left = 20 + widthOfLabels((yAxis._values ?? []).map((label) => label ?? "")), top = 34 + 16 * panel.series.length, width = plot.over.clientWidth, height = plot.over.clientHeight;
  const svg = document.createElementNS(SVG, "svg");
  const size = { width: left + width + 20, height: top + height + 50 };
  svg.setAttribute("xmlns", SVG);
  svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  svg.setAttribute("width", String(size.width));
  svg.setAttribute("height", String(size.height));
  svg.setAttribute("font-family", "sans-serif");
  svg.setAttribute("font-size", "12");
  draw(svg, "rect", { width: size.width, height: size.height, fill: "#ffffff" });
  draw(svg, "text", { x: left, y: 20, "font-size": 14, "font-weight": 600 }, fit(panel.title, width, "600 14px sans-serif"));
  panel.series.forEach((series, k) => {
    const y = 36 + 16 * k;
    draw(svg, "line", { x1: left, x2: left + 22, y1: y, y2: y, stroke: series.colour, "stroke-width": 2, "stroke-dasharray": series.dash.join(" ") });
    draw(svg, "text", { x: left + 28, y: y + 4 }, fit(series.label + (series.unit ? ` [${series.unit}]` : ""), width - 28, "12px sans-serif"));
  });
  const x = (v: number) => left + plot.valToPos(v, "x");
  const y = (v: number) => top + plot.valToPos(v, "y");
  xAxis._splits?.forEach((v, k) => {
    if (v === null) return;
    draw(svg, "line", { x1: x(v), x2: x(v), y1: top, y2: top + height, stroke: "#d9dee6" });
    draw(svg, "text", { x: x(v), y: top + height + 16, "text-anchor": "middle" }, xAxis._values?.[k] ?? "");
  });
  yAxis._splits?.forEach((v, k) => {
    const label = yAxis._values?.[k] ?? "";
    if (v === null || label === "") return;
    draw(svg, "line", { x1: left, x2: left + width, y1: y(v), y2: y(v), stroke: "#d9dee6" });
    draw(svg, "text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, label);
  });
  draw(svg, "rect", { x: left, y: top, width, height, fill: "none", stroke: "#5b6878" });
  draw(svg, "text", { x: left + width / 2, y: top + height + 38, "text-anchor": "middle" }, panel.timeLabel);
  draw(svg, "text", { x: 0, y: 0, "text-anchor": "middle", transform: `translate(16 ${top + height / 2}) rotate(-90)` }, panel.axisLabel);
  const clip = draw(draw(svg, "clipPath", { id: "area" }), "rect", { x: left, y: top, width, height });
  const lines = draw(svg, "g", { "clip-path": "url(#area)", fill: "none", "stroke-width": 1.5, "stroke-linejoin": "round" });
  void clip;
  panel.series.forEach((series, k) => {
    let path = "";
    const strips = panel.stripsOf(k);
    for (const { from, to, low, high } of strips ?? []) path += `M${x(from).toFixed(2)} ${y(low).toFixed(2)}H${x(to).toFixed(2)}V${y(high).toFixed(2)}H${x(from).toFixed(2)}Z`;
    let pen = "M";
    if (!strips) panel.drawn[0].forEach((t, i) => {
      const value = panel.drawn[k + 1][i];
      if (value === undefined) return;                 // a time of another run
      if (value === null) { pen = "M"; return; }       // there is no value: a gap
      path += `${pen}${x(t as number).toFixed(2)} ${y(value).toFixed(2)}`;
      pen = "L";
    });
    if (path) draw(lines, "path", { d: path, stroke: series.colour, "stroke-dasharray": series.dash.join(" "), ...(strips ? { fill: series.colour, "fill-opacity": 0.19 } : {}) });
  });
  return svg;
}

export function exportSvg(panel: Panel, name: string) {
  if (!panel.plot) return;
  download(name, new Blob([new XMLSerializer().serializeToString(makeSvg(panel))], { type: "image/svg+xml" }));
}

export function exportPng(panel: Panel, name: string) {
  if (!panel.plot) return;
  const svg = makeSvg(panel);
  const scale = 3;
  const canvas = make("canvas", {
    width: String(scale * Number(svg.getAttribute("width"))), height: String(scale * Number(svg.getAttribute("height"))),
  });
  const image = new Image();
  image.onload = () => {
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => { if (blob) download(name, blob); }, "image/png");
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(svg));
}

const cell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

/** The values themselves, whatever the axis. A page of a long run holds a part of its samples: then a comment says so. */
export function exportCsv(panel: Panel, name: string) {
  const thinned = describeThinning([...new Set(panel.series.map((series) => series.run))]);
  const rows = [...(thinned ? [`# ${thinned}. The result file holds all samples.`.replace(/[\r\n]+/g, " ")] : []), ["t", ...panel.series.map((series) => (series.scaled ? `${series.label} [${series.unit}]` : series.label))].map(cell).join(",")];
  panel.data[0].forEach((t, i) => {
    rows.push([t, ...panel.series.map((_, k) => panel.data[k + 1][i] ?? "")].join(","));
  });
  download(name, new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
}

// The page: what was measured and how, tables, one work-precision plot per problem and size.

import { notes } from "../problems/programs.mjs";
import { formatSize } from "./figures.mjs";
import { drawWorkPrecision } from "./plot.mjs";
import { makeEvaluationTable, makeGrowthTable, makeRunTable, makeTargetTable } from "./tables.mjs";

const kStyle = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1150px;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:.5rem 0 1.5rem;font-size:13px}td,th{padding:2px 9px;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child,td.text{text-align:left}svg{max-width:760px;font:12px system-ui,sans-serif}.grid{stroke:#e4e4e4}
tr.ours{background:#f0f7ee}.no{color:#b03a2e}h2{margin-top:2.5rem;border-bottom:2px solid #222}`;

const escape = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;");

function writeTable({ title, head, rows }) {
  const cell = (text, span) => {
    const number = text !== "" && !Number.isNaN(Number(text));
    return `<td${number ? "" : ' class="text"'}${span > 1 ? ` colspan="${span}"` : ""}>${escape(text)}</td>`;
  };
  const body = rows.map((row) => {
    const ours = row.some((text) => text.startsWith("Driftless") || text.startsWith("ours /"));
    const cells = row.map((text, k) => cell(text, k === row.length - 1 ? head.length - row.length + 1 : 1));
    return `<tr${ours ? ' class="ours"' : ""}>${cells.join("")}</tr>`;
  });
  return `<h3>${escape(title)}</h3><table><tr>${head.map((word) => `<th>${escape(word)}</th>`).join("")}</tr>${body.join("")}</table>`;
}

function writeProblem({ problem, evaluations, runs }) {
  const parts = [`<h2>${escape(problem.title)}</h2><p>${escape(problem.text)}</p>`];
  if (evaluations.length > 0) parts.push(writeTable(makeEvaluationTable(problem, evaluations)));
  if (problem.bodies && evaluations.length > 0) parts.push(writeTable(makeGrowthTable(problem, evaluations)));
  for (const run of runs) {
    if (run.rows.length === 0) continue;
    if (formatSize(run.size)) parts.push(`<h3>${formatSize(run.size)}</h3>`);
    parts.push(drawWorkPrecision(run.rows, problem.relative ? "relative" : ""));
    parts.push(writeTable(makeTargetTable(problem, run)), writeTable(makeRunTable(problem, run)));
  }
  return parts.join("\n");
}

export function makePage({ results, bars, version, date, machine, quick }) {
  const head = `Driftless ${version}, ${date}, ${escape(machine)}${quick ? ", a quick run" : ""}. Compare ratios, not milliseconds.`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Driftless: benchmark</title><style>${kStyle}</style>
<h1>Driftless beside its peers</h1><p>${head}</p>
<h2>How it was measured</h2><ul>${notes.map((each) => `<li>${each}</li>`).join("\n")}</ul>
${results.map(writeProblem).join("\n")}
<h2>Bars</h2>${writeTable(bars)}</html>
`;
}

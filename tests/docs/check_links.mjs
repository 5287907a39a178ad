// Every link and picture of the documents leads somewhere: to a file of the repository, and to a heading that is there.
// Addresses of the web are not visited.
//
// usage: node tests/docs/check_links.mjs

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

function listPages(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["build", "node_modules", ".git"].includes(entry.name) ? [] : listPages(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** Lines outside of fenced and indented code. */
function readProse(path) {
  let fenced = false;
  return readFileSync(path, "utf8").split("\n").map((line) => {
    if (/^ *```/.test(line)) { fenced = !fenced; return ""; }
    return fenced || line.startsWith("    ") ? "" : line;
  });
}

/** Anchors as GitHub makes them: small letters, no punctuation, blanks as dashes; a second of the same name has -1. */
function findAnchors(path) {
  const seen = new Map();
  return new Set(readProse(path).filter((line) => /^#+ /.test(line)).map((line) => {
    const text = line.replace(/^#+ /, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim().toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replace(/ /g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }));
}

let links = 0;
const wrong = [];
for (const page of listPages(".")) {
  readProse(join(root, page)).forEach((line, index) => {
    const text = line.replace(/`[^`]*`/g, (code) => " ".repeat(code.length));
    const targets = [...text.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g), ...text.matchAll(/(?:src|href)="([^"]+)"/g)];
    // A link whose text is code was blanked with its brackets left: nothing is lost.
    for (const [, target] of targets) {
      ++links;
      const tell = (what) => wrong.push(`${page}:${index + 1}: ${what}: ${target}`);
      if (/^[a-z]+:/.test(target)) {
        if (!/^https:\/\/[^\s/]+\.[a-z]+(\/|$)/.test(target) && !target.startsWith("mailto:")) tell("no address");
        continue;
      }
      const [file, anchor] = target.split("#");
      const path = file ? resolve(root, dirname(page), file) : join(root, page);
      if (relative(root, path).startsWith("..")) tell("outside of the repository");
      else if (!existsSync(path)) tell("there is no such file");
      else if (anchor && path.endsWith(".md") && !findAnchors(path).has(anchor)) tell("there is no such heading");
    }
  });
}
wrong.forEach((each) => console.log(each));
console.log(`${links} links, ${wrong.length} of them wrong`);
process.exit(wrong.length > 0 || links === 0 ? 1 : 0);

// Bundle src/main.ts and src/page.css into one HTML template.
//
// usage: node bundle.mjs FOLDER-WITH-NODE_MODULES OUTPUT
//
// The page's security policy allows exactly this script and this style, by their hashes: nothing that is in the data can
// run, and nothing can be loaded. The program puts the data in place of <!--DATA-->.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [packages, output] = process.argv.slice(2).map((path) => resolve(path));
const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const esbuild = createRequire(join(packages, "package.json"))("esbuild");

async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2020"],
    charset: "utf8",
    legalComments: "none",
    nodePaths: [join(packages, "node_modules")],
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

const sha256 = (text) => "'sha256-" + createHash("sha256").update(text, "utf8").digest("base64") + "'";

const script = await bundle("main.ts");
const style = await bundle("page.css");
if (/<\/script/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own block");
const policy =
  `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; img-src data: blob:; ` +
  `base-uri 'none'; form-action 'none'`;

const licences = ["three", "uplot"].map((name) =>
  `Contains parts of ${name}:\n${readFileSync(join(packages, "node_modules", name, "LICENSE"), "utf8").trim()}`).join("\n\n");
if (licences.includes("--")) throw new Error("a licence would end its own comment");

const page = `<!doctype html>
<!-- driftless report -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Driftless report</title>
<!--
${licences}
-->
<style>${style}</style>
</head>
<body>
<noscript>This page draws by JavaScript, which is turned off here.</noscript>
<div id="app"></div>
<!--DATA-->
<script>${script}</script>
</body>
</html>
`;
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);

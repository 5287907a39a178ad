// Takes the screenshots of the report page that the documents show: docs/images/page_*.png. Called by ./dev docs screens,
// with the program on the PATH, DRIFTLESS_VIEWER_DIR with the packages of the build, and CHROMIUM, the browser.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const docs = dirname(fileURLToPath(import.meta.url));
const models = join(docs, "..", "models");
const scratch = mkdtempSync(join(tmpdir(), "driftless-"));
const require = createRequire(join(process.env.DRIFTLESS_VIEWER_DIR, "package.json"));
const { chromium } = require("playwright-core");

const driftless = (...words) => execFileSync("driftless", words, { cwd: scratch, stdio: "ignore" });

/** Each page: how its runs are made, and at which share of the time it is looked at. */
const pages = [
  ["slider_crank", 0.31, () => {
    driftless("run", join(models, "slider_crank_bodies.toml"), "--until", "10", "--every", "0.01", "--out", "slider_crank.h5");
    driftless("report", "slider_crank.h5", "-o", "slider_crank.html");
  }],
  ["three_methods", 0.985, () => {
    const methods = { bg: "braun_goldfarb/rk4", baumgarte: "baumgarte/rk4", index1: "index1/rk4" };
    for (const [name, method] of Object.entries(methods)) {
      try {
        driftless("run", join(models, "double_four_bar_bodies.toml"), "--until", "30", "--every", "0.01", "--step", "0.01", "--method", method, "--out", `${name}.h5`);
      } catch { /* a method that fails is part of the comparison */ }
    }
    driftless("report", "bg.h5", "baumgarte.h5", "index1.h5", "-o", "three_methods.html");
  }],
  ["stewart_platform", 0.4, () => {
    driftless("run", join(models, "machines", "stewart_platform.toml"), "--out", "stewart_platform.h5");
    driftless("report", "stewart_platform.h5", "-o", "stewart_platform.html");
  }],
  ["forty_windows", 0.14, () => {
    driftless("new", "n-four-bar", "--n", "40", "-o", "forty.toml");
    driftless("run", "forty.toml", "--until", "2", "--every", "0.02", "--out", "forty.h5");
    driftless("report", "forty.h5", "-o", "forty_windows.html");
  }],
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--use-gl=swiftshader", "--enable-unsafe-swiftshader"] });
try {
  for (const [name, share, make] of pages) {
    make();
    const page = await browser.newPage({ viewport: { width: 1240, height: 820 } });
    await page.goto(pathToFileURL(join(scratch, `${name}.html`)).href);
    const slider = page.locator("input[type=range]").first();
    await slider.waitFor();
    await slider.evaluate((node, at) => {
      node.value = String(Number(node.min) + at * (Number(node.max) - Number(node.min)));
      node.dispatchEvent(new Event("input", { bubbles: true }));
    }, share);
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(docs, "images", `page_${name}.png`) });
    console.log(`docs/images/page_${name}.png`);
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}

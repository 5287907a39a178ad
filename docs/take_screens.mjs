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

/** Each page: light or dark, the share of the run that is shown, buttons to press, and how its runs are made. */
const pages = [
  ["slider_crank", "light", 0.3, ["Strobe", "Reactions", "P"], () => {
    driftless("run", join(models, "slider_crank_bodies.toml"), "--until", "10", "--every", "0.02", "--out", "slider_crank.html");
  }],
  ["three_methods", "light", 0.43, ["P1", "P3"], () => {
    const methods = { bg: "braun_goldfarb/rk4", baumgarte: "baumgarte/heun", index1: "index1/heun" };
    for (const [name, method] of Object.entries(methods)) {
      try {
        driftless("run", join(models, "double_four_bar_bodies.toml"), "--until", "8", "--every", "0.02", "--step", "0.04", "--method", method, "--out", `${name}.h5`);
      } catch { /* those without a correction end early: that is what the picture shows */ }
    }
    driftless("report", "bg.h5", "baumgarte.h5", "index1.h5", "-o", "three_methods.html");
  }],
  ["stewart_platform", "dark", 0.3, ["Forces", "Reactions", "P1", "P3", "P5"], () => {
    driftless("run", join(models, "machines", "stewart_platform.toml"), "--out", "stewart_platform.html");
  }],
  ["forty_windows", "light", 0.5, ["Reactions"], () => {
    driftless("new", "n-four-bar", "--n", "40", "-o", "forty.toml");
    driftless("run", "forty.toml", "--until", "1", "--every", "0.02", "--step", "0.02", "--out", "forty_windows.html");
  }],
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
try {
  for (const [name, colorScheme, share, buttons, make] of pages) {
    make();
    const context = await browser.newContext({ viewport: { width: 1180, height: 690 }, colorScheme, offline: true });
    const page = await context.newPage();
    page.setDefaultTimeout(120000);
    await page.goto(pathToFileURL(join(scratch, `${name}.html`)).href);
    await page.waitForSelector("html[data-ready]", { timeout: 60000 });
    await page.fill(".scrub", String(Math.round(10000 * share)));
    for (const label of buttons) await page.click(`.transport button:text-is("${label}"), .tree .row:has(span:text-is("Points")) button:text-is("${label}")`);
    await page.evaluate(() => {
      document.activeElement.blur();
      scrollTo(0, 0);
      // A gradient takes as many bytes as all the rest.
      document.querySelector(".view").style.background = "var(--stage-a)";
    });
    await page.mouse.move(5, 5);
    // It draws once in a frame of the browser, however long that takes.
    for (let frame = 0; frame < 4; ++frame) await page.evaluate(() => new Promise((done) => { requestAnimationFrame(done); }));
    await page.screenshot({ path: join(docs, "images", `page_${name}.png`) });
    console.log(`docs/images/page_${name}.png`);
    await context.close();
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}

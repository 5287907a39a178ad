// What the tests of the report page share: a browser without a network, the program, and looks at the picture.
//
// Environment: DRIFTLESS (program), DRIFTLESS_ROOT (repository), DRIFTLESS_VIEWER_DIR (packages; pages and screenshots go
// below it), CHROMIUM (browser; default chromium).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

const { DRIFTLESS, DRIFTLESS_ROOT: ROOT, DRIFTLESS_VIEWER_DIR: PACKAGES } = process.env;
export const { chromium } = createRequire(join(PACKAGES, "package.json"))("playwright-core");
export const PAGES = join(PACKAGES, "pages");
export const SHOTS = join(PACKAGES, "screenshots");
export const TEMPLATE = join(PACKAGES, "driftless_page.html");
export const model = (name) => join(ROOT, "models", name);
export const driftless = (...words) => execFileSync(DRIFTLESS, words, { cwd: PAGES, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const PATIENCE = 120000;  // milliseconds, of a busy machine

export let browser;
before(async () => {
  mkdirSync(PAGES, { recursive: true });
  mkdirSync(SHOTS, { recursive: true });
  browser = await chromium.launch({
    timeout: PATIENCE,
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"],
  });
});
after(async () => { await browser?.close(); });

/** Opens a page; whatever it complains about, or asks the network for, is remembered. */
export async function open(file, options = {}, other = browser, prepare = async () => {}) {
  const context = await other.newContext({ viewport: { width: 1440, height: 900 }, offline: true, colorScheme: "light", ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) faults.push(message.text()); });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => { faults.push("dialog: " + dialog.message()); dialog.dismiss(); });
  await page.route("**/*", (route) => {
    if (route.request().url().startsWith("file://")) return route.continue();
    if (!/^(data|blob):/.test(route.request().url())) faults.push("asked for " + route.request().url());
    return route.abort();
  });
  await prepare(page);
  await page.goto(pathToFileURL(join(PAGES, file)).href);
  await page.waitForSelector("html[data-ready]");
  // The drivers of a machine without a graphics card speak up in the console; the page has no part in that.
  const own = () => faults.filter((text) => !/GPU stall|swiftshader|GL Driver Message|GroupMarker/i.test(text));
  return { page, faults: own, close: () => context.close() };
}

/** Waits until the page has drawn what it was told: it draws once in a frame of the browser, however long that takes. */
export const drawn = (page, frames = 3) => page.evaluate((frames) => new Promise((done) => {
  const next = (left) => (left > 0 ? requestAnimationFrame(() => next(left - 1)) : done());
  next(frames);
}), frames);

/** Goes to a time, in shares of 1/10000, and waits until that is seen. */
export async function scrub(page, share) {
  await page.fill(".scrub", String(share));
  await drawn(page);
}

/** Presses the left button at one place and lets it go at another; `button`: or another one. */
export async function drag(page, from, to, button = "left") {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up({ button });
  await drawn(page);
}

/** Taps until it has told. A tap is a click a moment later, and none at all if a busy machine lets half a second pass
    before the finger is lifted: then it was a long press, and one taps again. `told`: whether the page has heard. */
export async function tap(page, selector, told) {
  for (let k = 0; k < 30 && !(await told()); ++k) {
    await page.tap(selector);
    for (let look = 0; look < 30 && !(await told()); ++look) await page.waitForTimeout(100);
  }
  assert.ok(await told(), `a tap on ${selector} is not heard`);
}

export const shoot = async (page, name, fullPage = true) => {
  await page.evaluate(() => document.activeElement.blur());
  await drawn(page);
  await page.screenshot({ path: join(SHOTS, name + ".png"), fullPage });
};
export const clock = (page) => page.textContent(".transport output").then((text) => parseFloat(text));
/** How many pixels of the picture are not background. */
export const inked = (page) => page.evaluate(() => {
  const canvas = document.querySelector(".view canvas");
  const copy = document.createElement("canvas");
  copy.width = 160; copy.height = 100;
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0, 160, 100);
  const { data } = context.getImageData(0, 0, 160, 100);
  let count = 0, sum = 0;
  for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 60) { ++count; sum = (sum * 31 + data[k] + k) % 1000003; }
  return { count, sum };
});

/** Waits until the picture is another one. */
export async function changed(page, before, complaint) {
  for (let k = 0; k < 20; ++k) {
    await drawn(page);
    if ((await inked(page)).sum !== before.sum) return;
  }
  assert.fail(complaint);
}

/** Where in the picture a thing is, not above that share of it: hovering there shows its name. `step`: shares of the picture
    between two places that are tried; of something thin, less. */
export const findSpot = (page, name, top = 0.05, step = 0.008) => page.evaluate(async ([name, top, step]) => {
  const canvas = document.querySelector(".view canvas");
  const box = canvas.getBoundingClientRect();
  for (let y = top; y < 0.95; y += 1.6 * step) for (let x = 0.05; x < 0.95; x += step) {
    const at = { clientX: box.left + x * box.width, clientY: box.top + y * box.height };
    canvas.dispatchEvent(new PointerEvent("pointermove", { ...at, bubbles: true }));
    const tip = document.querySelector(".tip");
    if (!tip.hidden && tip.textContent === name) return { x: at.clientX, y: at.clientY };
  }
  return null;
}, [name, top, step]);

/** What a button of a plot saves. */
export async function save(page, panel, label) {
  const [download] = await Promise.all([page.waitForEvent("download"), panel.locator(`button:text-is("${label}")`).click()]);
  return readFileSync(await download.path(), "utf8");
}
export const panelOf = (page, title) => page.locator(".panel", { has: page.locator(`h3:text-is("${title}")`) });

/** Coloured pixels of the picture: all of them, and those on its edges. Grid, guides and mounts are grey. */
export const coloured = (page) => page.evaluate(() => {
  const canvas = document.querySelector(".view canvas");
  const copy = document.createElement("canvas");
  const { width, height } = Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let all = 0, edge = 0;
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) {
    const at = 4 * (y * width + x), parts = [data[at], data[at + 1], data[at + 2]];
    if (data[at + 3] < 60 || Math.max(...parts) - Math.min(...parts) < 60) continue;
    ++all;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) ++edge;
  }
  return { all, edge };
});

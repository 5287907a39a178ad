// The report page in a real browser, from file://, with every other address blocked.
//
// Environment: DRIFTLESS (program), DRIFTLESS_ROOT (repository), DRIFTLESS_VIEWER_DIR (packages; pages and screenshots go
// below it), CHROMIUM (browser; default chromium).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { encode, makeRun, writePage } from "./fixture.mjs";

const { DRIFTLESS, DRIFTLESS_ROOT: ROOT, DRIFTLESS_VIEWER_DIR: PACKAGES } = process.env;
const { chromium } = createRequire(join(PACKAGES, "package.json"))("playwright-core");
const PAGES = join(PACKAGES, "pages");
const SHOTS = join(PACKAGES, "screenshots");
const TEMPLATE = join(PACKAGES, "driftless_page.html");
const model = (name) => join(ROOT, "models", name);
const driftless = (...words) => execFileSync(DRIFTLESS, words, { cwd: PAGES, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

let browser;
before(async () => {
  mkdirSync(PAGES, { recursive: true });
  mkdirSync(SHOTS, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"],
  });
});
after(async () => { await browser?.close(); });

/** Opens a page; whatever it complains about, or asks the network for, is remembered. */
async function open(file, options = {}, other = browser, prepare = async () => {}) {
  const context = await other.newContext({ viewport: { width: 1440, height: 900 }, offline: true, colorScheme: "light", ...options });
  context.setDefaultTimeout(120000);  // of a busy machine
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

const shoot = async (page, name, fullPage = true) => {
  await page.evaluate(() => document.activeElement.blur());
  await page.waitForTimeout(100);
  await page.screenshot({ path: join(SHOTS, name + ".png"), fullPage });
};
const clock = (page) => page.textContent(".transport output").then((text) => parseFloat(text));
/** How many pixels of the picture are not background. */
const inked = (page) => page.evaluate(() => {
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
async function changed(page, before, complaint) {
  for (let k = 0; k < 50; ++k) {
    if ((await inked(page)).sum !== before.sum) return;
    await page.waitForTimeout(40);
  }
  assert.fail(complaint);
}

/** Where in the picture a thing is, not above that share of it: hovering there shows its name. */
const findSpot = (page, name, top = 0.05) => page.evaluate(async ([name, top]) => {
  const canvas = document.querySelector(".view canvas");
  const box = canvas.getBoundingClientRect();
  for (let y = top; y < 0.95; y += 0.013) for (let x = 0.05; x < 0.95; x += 0.008) {
    const at = { clientX: box.left + x * box.width, clientY: box.top + y * box.height };
    canvas.dispatchEvent(new PointerEvent("pointermove", { ...at, bubbles: true }));
    const tip = document.querySelector(".tip");
    if (!tip.hidden && tip.textContent === name) return { x: at.clientX, y: at.clientY };
  }
  return null;
}, [name, top]);

test("a run writes a page that plays, scrubs and plots", async () => {
  driftless("run", model("slider_crank_bodies.toml"), "--until", "10", "--every", "0.02");
  const { page, faults, close } = await open("slider_crank_bodies.html");
  assert.match(await page.title(), /slider-crank of bodies/);
  const before = await inked(page);
  assert.ok(before.count > 60, `the picture is empty: ${before.count}`);

  await page.click(".play");
  await page.waitForFunction(() => parseFloat(document.querySelector(".transport output").textContent) > 0.2);
  await page.click(".play");
  const paused = await clock(page);
  assert.notDeepEqual(await inked(page), before, "nothing has moved");
  await page.waitForTimeout(150);
  assert.equal(await clock(page), paused, "it goes on after a pause");

  await page.fill(".scrub", "5000");
  assert.ok(Math.abs((await clock(page)) - 5) < 0.01);
  const titles = await page.$$eval(".panel h3", (nodes) => nodes.map((node) => node.textContent));
  assert.deepEqual(titles, ["x_s", "Constraint error", "Energy error", "Smallest singular value of G", "Step size", "Order"]);
  assert.match(await page.textContent(".report"), /Time: integration \[s\]/, "the time of each part is told");
  assert.match(await page.textContent(".report"), /energy put back \[J\]/);
  await shoot(page, "slider_crank_bodies");
  assert.deepEqual(faults(), []);
  await close();
});

test("keys play, step, and select", async () => {
  const { page, faults, close } = await open("slider_crank_bodies.html");
  await page.keyboard.press("ArrowRight");
  assert.ok((await clock(page)) > 0);
  await page.keyboard.press("End");
  assert.equal(await clock(page), 10);
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => parseFloat(document.querySelector(".transport output").textContent) > 0);
  await page.keyboard.press("Space");
  assert.match(await page.textContent(".play"), /Play/);
  for (const key of ["s", "r", "w", "+", "2", "4", "1", "f"]) await page.keyboard.press(key);
  assert.equal(await page.$$eval('.transport [aria-pressed="true"]', (nodes) => nodes.length), 4, "loop, strobe, reactions and weights are on");
  // By tabs alone: to the play button, which the space bar then presses.
  for (let k = 0; k < 12; ++k) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.classList.contains("play"))) break;
  }
  await page.keyboard.press("Space");
  assert.match(await page.textContent(".play"), /Pause/);
  assert.deepEqual(faults(), []);
  await close();
});

test("the corner says how much is in view, and gives way to names", async () => {
  const { page, faults, close } = await open("slider_crank_bodies.html");
  const view = () => page.textContent(".corner").then((text) => /view ([\d.]+) × ([\d.]+) m/.exec(text).slice(1).map(Number));
  const all = await view();
  const box = await page.locator(".view canvas").boundingBox();
  assert.ok(Math.abs(all[0] / all[1] - box.width / box.height) < 0.1, `${all} does not have the picture's shape`);
  await page.click('.tree button:text-is("crank")');
  const whole = await page.textContent(".corner");
  await page.keyboard.press("f");
  await page.waitForFunction((text) => document.querySelector(".corner").textContent !== text, whole);
  const near = await view();
  assert.ok(near[0] < 0.7 * all[0], `zoomed from ${all} to ${near}`);
  await shoot(page, "zoomed", false);
  // Somewhere at the lower left, where a name would be on top of the corner.
  const middle = { x: box.x + 0.5 * box.width, y: box.y + 0.5 * box.height };
  const before = await inked(page);
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(middle.x - 180, middle.y + 120, { steps: 4 });
  await page.mouse.up({ button: "right" });
  await changed(page, before, "the picture cannot be moved");
  await page.waitForTimeout(100);
  const [tip, corner] = await page.evaluate(() => {
    const canvas = document.querySelector(".view canvas"), { left, bottom, height } = canvas.getBoundingClientRect();
    for (let y = 5; y < height / 2; y += 4) for (let x = 5; x < 160; x += 4) {
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: left + x, clientY: bottom - y, bubbles: true }));
      const tip = document.querySelector(".tip"), corner = document.querySelector(".corner");
      const a = tip.getBoundingClientRect(), b = corner.getBoundingClientRect();
      if (!tip.hidden && a.bottom > b.top && a.left < b.right) return [tip.textContent, getComputedStyle(corner).visibility];
    }
    return ["", ""];
  });
  assert.equal(corner, "hidden", `the corner lies under "${tip}"`);
  assert.deepEqual(faults(), []);
  await close();
});

test("a click selects in the tree, the plots and the scene; trails and exports", async () => {
  const { page, faults, close } = await open("slider_crank_bodies.html");
  const before = await inked(page);
  await page.click('.tree button:has-text("crank")');
  assert.equal(await page.getAttribute('.tree button:has-text("crank")', "aria-pressed"), "true");
  assert.equal(await page.textContent(".panel h3"), "body crank");
  assert.ok((await page.$$(".keys .chosen")).length >= 2);
  await changed(page, before, "the body does not stand out");
  // In the scene itself: somewhere on the crank, which begins at 45 degrees.
  await page.keyboard.press("Escape");
  assert.equal(await page.textContent(".panel h3"), "x_s");
  const spot = await findSpot(page, "body rod");
  assert.ok(spot, "no name is shown on hovering");
  await page.mouse.click(spot.x, spot.y);
  assert.equal(await page.textContent(".panel h3"), "body rod");
  await page.click('.transport button:has-text("Trail")');
  await page.mouse.click(spot.x, spot.y);
  await page.click('.tree button:has-text("hinge")');
  assert.ok(await page.isVisible('button:has-text("Clear trails")'));
  await page.keyboard.press("Escape");

  for (const [label, check] of [
    ["SVG", (text) => assert.ok(text.startsWith("<svg") && text.includes("<path d=\"M") && text.includes(">x_s<"))],
    ["CSV", (text) => { const lines = text.trim().split("\n"); assert.equal(lines[0], "t,x_s"); assert.equal(lines.length, 502); }],
    ["PNG", (text) => assert.match(text.slice(0, 8), /PNG/)],
  ]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".panel").first().locator(`button:has-text("${label}")`).click()]);
    check(readFileSync(await download.path(), "latin1"));
  }
  assert.deepEqual(faults(), []);
  await close();
});

test("the plot of what is selected shows what moves", async () => {
  driftless("run", model("machines/four_cylinder_engine.toml"), "--until", "0.02", "--out", "engine.html");
  const { page, faults, close } = await open("engine.html");
  // A bore lets its piston turn, which it does not; the shaft turns where it is.
  for (const [name, wanted] of [["bore3", ["bore3.position"]], ["shaft", ["shaft.q0", "shaft.q1", "shaft.q2", "shaft.q3"]], ["rod2", ["rod2.x", "rod2.y", "rod2.z"]]]) {
    await page.click(`.tree button:text-is("${name}")`);
    assert.deepEqual(await page.locator(".panel").first().locator(".name").allTextContents(), wanted);
  }
  assert.deepEqual(faults(), []);
  await close();
});

test("plots: a quantity by its name, linear and log, the cursor is shared", async () => {
  const { page, faults, close } = await open("slider_crank_bodies.html");
  const panel = page.locator(".panel").first();
  await panel.locator("input").fill("crank.angle");
  await panel.locator("input").press("Enter");
  await panel.locator("input").dispatchEvent("change");
  assert.equal(await panel.locator(".key").count(), 2);
  for (const [name, answer] of [["crank.angel", /No quantity is named crank\.angel/], ["CRANK.ang", /Do you mean crank\.angle/]]) {
    await panel.locator("input").fill(name);
    await panel.locator("input").dispatchEvent("change");
    assert.match(await panel.locator('[role="status"]').textContent(), answer);
  }
  await panel.locator("input").fill("");
  assert.equal(await panel.locator('[role="status"]').textContent(), "");
  await panel.locator('button:has-text("log")').click();
  assert.equal(await panel.locator('button:has-text("log")').getAttribute("aria-pressed"), "true");
  const over = panel.locator(".u-over");
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.ok(Math.abs((await clock(page)) - 5) < 0.2, "a click in a plot moves the animation");
  const lines = await page.$$eval(".now", (nodes) => nodes.map((node) => new DOMMatrix(getComputedStyle(node).transform).e / node.parentElement.clientWidth));
  for (const share of lines) assert.ok(Math.abs(share - 0.5) < 0.03);
  assert.deepEqual(faults(), []);
  await close();
});

/** What a button of a plot saves. */
async function save(page, panel, label) {
  const [download] = await Promise.all([page.waitForEvent("download"), panel.locator(`button:text-is("${label}")`).click()]);
  return readFileSync(await download.path(), "utf8");
}
const panelOf = (page, title) => page.locator(".panel", { has: page.locator(`h3:text-is("${title}")`) });

test("what a plot saves as CSV are its values, whatever the axis", async () => {
  const wave = (k) => (k % 5 === 0 ? 0 : (k % 2 ? -1 : 1) * 0.25 * k);
  const options = { bodies: 1, points: 60, frames: 20, samples: 60, nameOf: (k) => "bar" + k, model: "wave", values: { bar0_record: wave } };
  writePage(TEMPLATE, [makeRun(options)], join(PAGES, "csv.html"));
  writePage(TEMPLATE, [makeRun({ ...options, samples: 6000 })], join(PAGES, "csv_thinned.html"));
  for (const [file, first, value] of [["csv.html", "t,bar0_record", "−1.75 m"], ["csv_thinned.html", "# Plots show the smallest and the largest of every 200 of 6000 samples. The result file holds all samples.", "−1.75 … 1.5 m"]]) {
    const { page, faults, close } = await open(file);
    const panel = panelOf(page, "bar0_record");
    const linear = await save(page, panel, "CSV");
    await panel.locator('button:text-is("log")').click();
    assert.equal(await save(page, panel, "CSV"), linear, "the axis changes the data");
    const lines = linear.trim().split("\n");
    assert.equal(lines[0], first);
    assert.deepEqual(lines.slice(-60).map((line) => Number(line.split(",")[1])), Array.from({ length: 60 }, (_, k) => wave(k)));
    await page.fill(".scrub", "1200");  // between points 7 and 8
    assert.equal(await panel.locator(".value").textContent(), value, "the value has lost its sign");
    assert.deepEqual(faults(), []);
    await close();
  }
});

test("a thinned plot that is looked at closely shows bounds, not a line that nobody has computed", async () => {
  const run = makeRun({ bodies: 1, points: 2000, frames: 20, samples: 1e6, nameOf: (k) => "bar" + k, model: "thinned", values: { bar0_record: (k) => 3 - 6 * (k % 2) } });
  writePage(TEMPLATE, [run], join(PAGES, "thinned.html"));
  const { page, faults, close } = await open("thinned.html");
  const panel = page.locator(".panel").first();
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), panel.locator('button:text-is("SVG")').click()]);
    return readFileSync(await download.path(), "utf8").match(/<path d="([^"]*)"/)[1];
  };
  assert.doesNotMatch(await page.textContent(".plots"), /Strips/);
  assert.match(await panel.locator(".value").first().textContent(), /^−3 … 3 m$/, "no value of one moment is known");
  assert.doesNotMatch(await save(), /Z/);
  const { x, y, width } = await panel.locator(".u-over").boundingBox();
  await page.mouse.move(x + 0.4 * width, y + 60);
  await page.mouse.down();
  await page.mouse.move(x + 0.44 * width, y + 60, { steps: 4 });
  await page.mouse.up();
  await page.locator(".panel:first-of-type", { hasText: "Strips span the smallest and the largest of every 1000 of 1000000 samples" }).waitFor();
  // Each is a rectangle of its own; a line from one to the next would be seen as a part of the motion.
  const strips = (await save()).split("Z").slice(0, -1);
  assert.ok(strips.length > 30 && strips.length < 50, `${strips.length} strips`);
  assert.ok(strips.every((each) => /^M[-\d.]+ [-\d.]+H[-\d.]+V[-\d.]+H[-\d.]+$/.test(each)), strips[0]);
  await shoot(page, "thinned");
  assert.deepEqual(faults(), []);
  await close();
});

test("a plot that is made anew shows the time and the range of the others", async () => {
  const { page, faults, close } = await open("slider_crank_bodies.html");
  await page.fill(".scrub", "3000");
  const cursors = () => page.$$eval(".now", (nodes) => nodes.map((node) => (
    node.getClientRects().length > 0 ? new DOMMatrix(getComputedStyle(node).transform).e / node.parentElement.clientWidth : -1)));
  const check = async (share, what) => {
    await page.waitForTimeout(60);
    for (const each of await cursors()) assert.ok(Math.abs(each - share) < 0.01, `${what}: the time is at ${each}`);
  };
  await check(0.3, "at first");
  await page.click('.tree button:has-text("crank")');
  await check(0.3, "of a selected body");
  const panel = page.locator(".panel").first();
  await panel.locator('button:text-is("log")').click();
  await check(0.3, "after log");
  await panel.locator("input").fill("x_s");
  await panel.locator("input").dispatchEvent("change");
  await check(0.3, "after another quantity");
  // From 2 s to 6 s in one plot: all show that, also those that are made later.
  const box = await panelOf(page, "x_s").locator(".u-over").boundingBox();
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await check(0.25, "after a zoom");
  await panel.locator('button:text-is("log")').click();
  await check(0.25, "after a zoom and log");
  assert.deepEqual(faults(), []);
  await close();
});

test("axes: smallest values are in the picture, and no two ticks have the same label", async () => {
  const options = { bodies: 1, points: 500, frames: 20, samples: 500, nameOf: (k) => "bar" + k, model: "ticks" };
  const values = { sigma_min: (k) => (k === 77 ? 2e-7 : 1 + 0.1 * Math.sin(k)), bar0_record: (k) => 2.7636 + 3e-6 * Math.sin(0.1 * k), phi: (k) => (k === 50 ? 1e-30 : 1e-13) };
  writePage(TEMPLATE, [makeRun({ ...options, values })], join(PAGES, "axes.html"));
  const { page, faults, close } = await open("axes.html");
  const read = async (title) => {
    const svg = await save(page, panelOf(page, title), "SVG");
    const [, top, height] = /<rect x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)" fill="none"/.exec(svg).map(Number);
    const heights = [...svg.matchAll(/[ML][-\d.]+ ([-\d.]+)/g)].map((match) => Number(match[1]));
    return { lowest: (top + height - Math.max(...heights)) / height, labels: [...svg.matchAll(/text-anchor="end">([^<]*)</g)].map((match) => match[1]) };
  };
  assert.ok((await read("Smallest singular value of G")).lowest >= 0, "the minimum is cut off");
  assert.ok((await read("Constraint error")).lowest < 0, "an error by chance near 0 stretches the axis");
  const { labels } = await read("bar0_record");
  assert.ok(labels.length >= 3 && new Set(labels).size === labels.length, `ticks ${labels}`);
  await shoot(page, "axes");
  assert.deepEqual(faults(), []);
  await close();
});

test("an error of exactly 0 is below a logarithmic axis, not left out", async () => {
  const options = { bodies: 1, points: 201, frames: 20, samples: 201, nameOf: (k) => "bar" + k, model: "zeros" };
  const values = { energy_error: (k) => (k % 50 === 25 ? 4e-13 : 0), phi: () => 0, phi_dot: () => 0 };
  writePage(TEMPLATE, [makeRun({ ...options, values })], join(PAGES, "zeros.html"));
  const { page, faults, close } = await open("zeros.html");
  const read = async (title) => {
    const svg = await save(page, panelOf(page, title), "SVG");
    const [, top, height] = /<rect x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)" fill="none"/.exec(svg).map(Number);
    return [...svg.matchAll(/[ML][-\d.]+ ([-\d.]+)/g)].map((match) => Number(match[1]) <= top + height);
  };
  const inside = await read("Energy error");
  assert.equal(inside.length, 201, "points are left out");
  assert.deepEqual(inside.flatMap((seen, k) => (seen ? [k] : [])), [25, 75, 125, 175], "what is seen above the end of the axis");
  // Nothing but zeros has no place on a logarithmic axis; a linear one shows them.
  assert.deepEqual(new Set(await read("Constraint error")), new Set([true]));
  await shoot(page, "zeros");
  assert.deepEqual(faults(), []);
  await close();
});

/** Numbers between 0 and 1 that are the same in every run. */
function makeDice(seed) {
  return () => { seed = (1103515245 * seed + 12345) % 2147483648; return seed / 2147483648; };
}

/** Coloured pixels of the picture: all of them, and those on its edges. Grid, guides and mounts are grey. */
const coloured = (page) => page.evaluate(() => {
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

test("all of the motion is in the first view, whatever the shapes, on a screen and on a phone", async () => {
  const dice = makeDice(20261);
  const between = (low, high) => low + (high - low) * dice();
  const kinds = ["box", "disc", "sphere", "cylinder", "cone"];
  const shapes = kinds.map((kind) => ({
    kind, size: [between(0.2, 2), between(0.2, 2), between(0.2, 2)], radius: between(0.3, 1.2), thickness: between(0.02, 0.6),
    axis: [between(-1, 1), between(-1, 1), between(0.1, 1)], from: [0, 0, between(-0.5, 0)], to: [between(-1, 1), 0, between(0.2, 1)],
  }));
  const frame = (body, at) => ({ body, at, x: [1, 0, 0], z: [0, 0, 1] });
  const element = (kind, name, type, frames, more = {}) => ({ kind, name, type, frames, of: "", turns: 0, slide: [0, 0, 0], ...more });
  const elements = [
    element("force", "hanger", "spring_damper", [frame(-1, [2, 0.4, 3]), frame(2, [0.3, 0, 0])]),
    element("constraint", "strap", "belt", [], { pulleys: [{ frame: frame(1, [0, 0, 0]), radius: 0.5 }, { frame: frame(3, [0, 0, 0]), radius: 0.2 }] }),
  ];
  writePage(TEMPLATE, [makeRun({ bodies: kinds.length, points: 60, frames: 60, samples: 60, nameOf: (k) => kinds[k], model: "shapes", shapeOf: (k) => shapes[k], elements })], join(PAGES, "shapes.html"));
  await Promise.all([{ width: 1440, height: 900 }, { width: 380, height: 780 }].map(async (viewport) => {
    const { page, faults, close } = await open("shapes.html", { viewport });
    for (const share of ["0", "1600", "4700"]) {
      await page.fill(".scrub", share);
      let all = 0, edge = 0;
      for (let k = 0; k < 30 && all === 0; ++k) {  // a busy machine draws late
        await page.waitForTimeout(60);
        ({ all, edge } = await coloured(page));
      }
      assert.ok(all > 3000, `${all} pixels at ${viewport.width}`);
      assert.equal(edge, 0, `the picture is cut at ${viewport.width}`);
    }
    // A spring that hangs has its mount above it, a belt its two strands.
    if (viewport.width > 1000) {
      await page.fill(".scrub", "0");
      const mount = await findSpot(page, "spring damper hanger"), belt = await findSpot(page, "belt strap", 0.5);
      assert.ok(mount && belt, "no mount or no belt");
      await shoot(page, "shapes");
    }
    assert.deepEqual(faults(), []);
    await close();
  }));
});

test("a body without a shape is in the first view, from its one joint to its mass centre", async () => {
  driftless("run", model("elements/drive.toml"), "--out", "bare.html");
  const { page, faults, close } = await open("bare.html");
  for (const share of ["0", "2000", "6000"]) {
    await page.fill(".scrub", share);
    await page.waitForTimeout(200);
    const { all, edge } = await coloured(page);
    assert.ok(all > 1000 && edge === 0, `${all} pixels, ${edge} at the edge`);
  }
  assert.deepEqual(faults(), []);
  await close();
});

test("springs and rods without mass are no hairs, and can be pointed at where they are now", async () => {
  /** Of the pixels of a colour, the share whose neighbours on all four sides have it, too; a hair has none. */
  const solid = (page, tint) => page.evaluate((tint) => {
    const canvas = document.querySelector(".view canvas"), copy = document.createElement("canvas");
    const { width, height } = Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    // Shaded, a colour keeps its hue.
    const hue = (r, g, b) => Math.round(12 * (r - b) / (r + g + b + 1));
    const has = (x, y) => { const at = 4 * (y * width + x); return data[at + 3] > 200 && Math.abs(hue(data[at], data[at + 1], data[at + 2]) - hue(...tint)) < 2 && data[at] < 190; };
    let all = 0, inside = 0;
    for (let y = 1; y + 1 < height; ++y) for (let x = 1; x + 1 < width; ++x) if (has(x, y)) {
      ++all;
      if (has(x - 1, y) && has(x + 1, y) && has(x, y - 1) && has(x, y + 1)) ++inside;
    }
    return all > 0 ? inside / all : 0;
  }, tint);
  writeFileSync(join(PAGES, "spring.toml"), `format = "driftless/1"
name = "spring"
space = "plane"
gravity = [0, -9.81]
[body.bar]
rod = [[0, 2], [1.2, 1]]
mass = 3
[joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = [0, 2]
[force.spring]
type = "spring_damper"
between = ["ground", "bar"]
at = [[2, 2], [1.2, 1]]
stiffness = 80
[run]
until = 1
`);
  driftless("run", "spring.toml", "--out", "spring.html");
  const { page, faults, close } = await open("spring.html");
  assert.ok(await solid(page, [150, 97, 10]) > 0.2, `of the spring ${await solid(page, [150, 97, 10])} is inside`);
  const middle = async () => (await findSpot(page, "spring damper spring", 0.3)) !== null;
  assert.ok(await middle(), "the spring cannot be pointed at");
  assert.deepEqual(faults(), []);
  await close();

  // A swing boat on two rods: they swing from one side to the other, and pointing follows.
  driftless("run", model("elements/distance_constraint.toml"), "--out", "rods.html");
  const rods = await open("rods.html");
  for (const share of ["0", "700", "2500"]) {
    await rods.page.fill(".scrub", share);
    await rods.page.waitForTimeout(100);
    assert.ok(await findSpot(rods.page, "distance rear", 0.45), `no rod can be pointed at, ${share}`);
  }
  await shoot(rods.page, "rods");
  assert.deepEqual(rods.faults(), []);
  await rods.close();

  // A long chain of short, thin links.
  rmSync(join(PAGES, "thin.toml"), { force: true });
  driftless("new", "chain", "--n", "200", "--joint", "spherical", "-o", "thin.toml");
  driftless("run", "thin.toml", "--until", "0.02", "--step", "0.01", "--out", "thin.html");
  const chain = await open("thin.html");
  const { all } = await coloured(chain.page);
  assert.ok(all > 1000, `the chain has ${all} pixels`);
  await shoot(chain.page, "chain", false);
  assert.deepEqual(chain.faults(), []);
  await chain.close();
});

test("a pin moves in its slot", async () => {
  driftless("run", model("elements/slot.toml"));
  const { page, faults, close } = await open("slot.html");
  const far = await findSpot(page, "slot pin");
  const before = await inked(page);
  await page.fill(".scrub", "540");  // about half a turn of the crank
  await changed(page, before, "nothing has moved");
  const near = await findSpot(page, "slot pin");
  assert.ok(far && near, "the pin is not drawn");
  assert.ok(near.y > far.y + 20, `the pin does not move: ${far.y} ${near.y}`);
  await shoot(page, "slot");
  assert.deepEqual(faults(), []);
  await close();
});

test("several runs are overlaid", async () => {
  const file = model("double_four_bar_bodies.toml");
  for (const [name, method] of [["bg", "braun_goldfarb/rk4"], ["baumgarte", "baumgarte/heun"], ["index1", "index1/heun"]]) {
    try { driftless("run", file, "--until", "8", "--every", "0.02", "--step", "0.04", "--method", method, "--out", `${name}.h5`); } catch { /* index1 may fail: that is its point */ }
  }
  driftless("report", "bg.h5", "baumgarte.h5", "index1.h5", "-o", "double_four_bar_bodies.html");
  const { page, faults, close } = await open("double_four_bar_bodies.html");
  assert.equal(await page.$$eval(".legend > div", (nodes) => nodes.length), 3);
  assert.equal(await page.locator(".panel").first().locator(".key").count(), 6);
  const headings = await page.$$eval(".report > section :is(h2, summary)", (nodes) => nodes.map((node) => node.textContent));
  const headed = (label) => ["Reactions", "Model file"].map((each) => `${each} of the run ${label}`);
  assert.deepEqual(headings, headed("braun_goldfarb/rk4/project+energy"));
  // Another run is chosen in the report, by a key, or by the legend: its reactions are shown, in the table and as arrows.
  const state = async () => [await page.$$eval(".report > section :is(h2, summary)", (nodes) => nodes.map((node) => node.textContent)),
    await page.locator('.legend [aria-pressed="true"]').textContent()];
  await page.fill(".scrub", "3000");
  await page.click('.transport button:text-is("Reactions")');
  const pictures = [];
  for (const [label, choose] of [
    ["baumgarte/heun", () => page.selectOption(".choice select", { label: "baumgarte/heun" })],
    ["index1/heun", () => page.keyboard.press("n")],
    ["braun_goldfarb/rk4/project+energy", () => page.locator(".legend button").first().click()],
  ]) {
    const before = await inked(page);
    await choose();
    await page.evaluate(() => document.activeElement.blur());
    await changed(page, before, `nothing of the run ${label} is shown`);
    assert.deepEqual(await state(), [headed(label), label]);
    pictures.push((await inked(page)).sum);
  }
  assert.equal(new Set(pictures).size, 3, "arrows of all runs are the same");
  await page.click('.transport button:text-is("Reactions")');
  await page.fill(".scrub", "5350");
  await shoot(page, "double_four_bar_bodies");
  assert.deepEqual(faults(), []);
  await close();
});

test("a mechanism in space, in the dark, with reactions and a strobe", async () => {
  driftless("run", model("four_bar_3d.toml"), "--until", "10", "--every", "0.01");
  const { page, faults, close } = await open("four_bar_3d.html", { colorScheme: "dark" });
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  await page.fill(".scrub", "1700");
  await page.click('.transport button:has-text("Strobe")');
  await page.click('.transport button:has-text("Reactions")');
  await page.waitForFunction(() => /as an arrow/.test(document.querySelector(".corner").textContent));
  assert.doesNotMatch(await page.textContent(".corner"), /arc/, "round-off torques are drawn");
  await shoot(page, "four_bar_3d");
  await page.click('button[title="Dark or light"]');
  assert.equal(await page.getAttribute("html", "data-theme"), "light");
  assert.match(await page.textContent(".report"), /Rank at the start17/);
  assert.match(await page.textContent(".report"), /✗ not force\.z/, "reactions that are not unique are marked");
  assert.deepEqual(faults(), []);
  await close();
});

const PRESS = `format = "driftless/1"
name = "press"
gravity = [0, 0, -9.81]
[points]
A = [0, 0, 0]
B = [0.4, 0, 0]
C = [0.8, 0, 0.1]
[body.arm]
rod = ["A", "B"]
mass = "2 kg"
mesh = { file = "arm.stl", unit = "mm", at = [-0.2, 0, 0] }
[body.arm.frame.tip]
at = [0.1, 0, 0.05]
[body.tail]
cylinder = ["B", "C"]
radius = 0.03
mass = "1 kg"
[joint.hinge]
type = "revolute"
between = ["ground", "arm"]
at = "A"
axis = [0, 1, 0]
[joint.ball]
type = "spherical"
between = ["arm", "tail"]
at = "B"
[force.push]
type = "point_force"
body = "tail"
at = "C"
force = [0, "3*sin(4*t)", 5]
torque = [0.2, 0, 0]
[force.motor]
type = "motor"
of = "hinge.angle"
torque = "2*cos(t)"
[display]
hinge.angle = "deg"
[run]
until = 2
every = 0.01
[method]
step = 0.005
`;
/** A box of 400 x 40 x 60 as STL. */
function makeStl() {
  const corner = (k) => `${k & 1 ? 400 : 0} ${k & 2 ? 20 : -20} ${k & 4 ? 30 : -30}`;
  const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const triangles = sides.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
  return "solid arm\n" + triangles.map((each) => "facet normal 0 0 0\nouter loop\n" + each.map((k) => `vertex ${corner(k)}\n`).join("")
    + "endloop\nendfacet\n").join("") + "endsolid arm\n";
}

test("a mesh, arrows of forces, trails of points and frames, units of [display]", async () => {
  writeFileSync(join(PAGES, "press.toml"), PRESS);
  writeFileSync(join(PAGES, "arm.stl"), makeStl());
  driftless("run", "press.toml");
  const { page, faults, close } = await open("press.html");
  // The mesh is thicker than the rod that it stands for.
  const withMesh = await inked(page);
  rmSync(join(PAGES, "arm.stl"));
  driftless("report", "press.h5", "-o", "press_bare.html");
  const bare = await open("press_bare.html");
  assert.match(await bare.page.textContent(".note"), /Body arm is drawn without its mesh: arm\.stl/);
  assert.notDeepEqual(await inked(bare.page), withMesh);
  assert.deepEqual(bare.faults(), []);
  await bare.close();
  assert.equal((await page.$$(".note")).length, 0);

  assert.match(await page.locator(".panel .keys").first().textContent(), /hinge\.angle.* deg/);
  await page.fill(".scrub", "2000");
  for (const name of ["Reactions", "Forces", "Weights"]) {
    const before = await inked(page);
    await page.click(`.transport button:text-is("${name}")`);
    await changed(page, before, `no arrows of ${name}`);
  }
  assert.match(await page.textContent(".corner"), /as an arrow .* N, as an arc .* N·m/);
  const before = await inked(page);
  await page.fill(".arrows", "2");
  await changed(page, before, "the arrows have the same length");
  await page.keyboard.press("Escape");
  assert.match(await page.textContent(".report"), /hinge/);
  assert.doesNotMatch(await page.locator(".report section", { hasText: "Reactions" }).last().textContent(), /push/, "an applied force is no reaction");

  for (const name of ["C", "arm.tip"]) {
    const plain = await inked(page);
    await page.click(`.tree button:text-is("${name}")`);
    await changed(page, plain, `no trail of ${name}`);
    assert.equal(await page.getAttribute(`.tree button:text-is("${name}")`, "aria-pressed"), "true");
  }
  assert.deepEqual(await page.$$eval(".legend > div", (nodes) => nodes.map((node) => node.textContent)), ["C", "arm.tip"]);
  await shoot(page, "press");
  await page.click('.tree button:text-is("C")');
  await page.click('button:has-text("Clear trails")');
  assert.equal(await page.$$eval('.tree [aria-pressed="true"]', (nodes) => nodes.length), 0);
  assert.deepEqual(faults(), []);
  await close();
});

test("a mesh that is missing or broken is refused with its place", () => {
  const complain = () => { try { driftless("run", "press.toml", "--out", "broken.csv"); } catch (error) { return error.stderr; } return ""; };
  rmSync(join(PAGES, "arm.stl"), { force: true });
  assert.match(complain(), /press\.toml:11:18: error: body\.arm\.mesh: cannot read/);
  writeFileSync(join(PAGES, "arm.stl"), makeStl().replace("400", "4oo"));
  assert.match(complain(), /press\.toml:11:18: error: body\.arm\.mesh: .*arm\.stl:\d+: '4oo' is not a finite number/);
});

test("forty windows", async () => {
  rmSync(join(PAGES, "windows.toml"), { force: true });
  driftless("new", "n-four-bar", "--n", "40", "-o", "windows.toml");
  driftless("run", "windows.toml", "--until", "1", "--every", "0.02", "--step", "0.02");
  const { page, faults, close } = await open("windows.html");
  assert.equal(await page.$$eval(".tree .row:first-child button", (nodes) => nodes.length), 81);
  await page.fill(".scrub", "3300");
  await shoot(page, "windows");
  assert.deepEqual(faults(), []);
  await close();
});

test("an equation model has plots and a report, and says why nothing moves", async () => {
  driftless("run", model("slider_crank.toml"), "--until", "2");
  const { page, faults, close } = await open("slider_crank.html");
  assert.match(await page.textContent(".nothing"), /equation model/);
  assert.equal(await page.textContent("header .description"), "Two equal links through a singular pose, in absolute coordinates");
  assert.deepEqual(await page.$$eval(".transport button:not([hidden])", (nodes) => nodes.map((node) => node.textContent)), ["▶ Play", "Loop"]);
  assert.doesNotMatch(await page.textContent("footer"), /strobe|trail|camera/);
  assert.ok((await page.$$(".panel canvas")).length >= 3);
  assert.deepEqual(faults(), []);
  await close();
});

test("first plots: coordinates together whose units are not all known; no constraint errors without constraints", async () => {
  writeFileSync(join(PAGES, "loose.toml"), `format = "driftless/1"
name = "loose"
[coordinates]
x1 = { start = 0.4 }
x2 = { start = "30 cm", rate = "0.2 m/s" }
x3 = { start = 0.1 }
[energy]
kinetic = "0.7*x1'^2 + 1.1*x2'^2 + 0.4*x3'^2"
potential = "3*x1^2 + 2*(x2 - x1)^2 + 5*x3^2"
[run]
until = 2
every = 0.02
`);
  driftless("run", "loose.toml");
  const { page, faults, close } = await open("loose.html");
  const titles = await page.$$eval(".panel h3", (nodes) => nodes.map((node) => node.textContent));
  assert.deepEqual(titles, ["Motion", "Energy error", "Step size", "Order"]);
  assert.deepEqual(await page.locator(".panel").first().locator(".key").evaluateAll((nodes) => nodes.map((node) => node.childNodes[1].textContent)), ["x1", "x2", "x3"]);
  assert.match(await page.locator(".panel").first().locator(".key").nth(1).textContent(), /0\.3 m/);
  assert.deepEqual(faults(), []);
  await close();
});

test("first plots: what is recorded and measured, by unit", async () => {
  driftless("run", model("elements/point.toml"), "--until", "1");
  const { page, faults, close } = await open("point.html");
  const keys = await page.locator(".panel").evaluateAll((nodes) => nodes.slice(0, 3).map((node) => [...node.querySelectorAll(".key")]
    .map((key) => [key.querySelector(".name").textContent, key.querySelector(".value").textContent.split(" ")[1]])));
  assert.deepEqual(keys.map((each) => each.sort()), [[["mark.x", "m"], ["mark.y", "m"]], [["speed", "m/s"]], [["acceleration", "m/s^2"]]]);
  assert.deepEqual(faults(), []);
  await close();
});

test("first plots of a table without its model: what is recorded, else joint coordinates", async () => {
  driftless("run", model("machines/double_wishbone.toml"), "--until", "0.1", "--out", "recorded.csv");
  driftless("run", model("elements/gear.toml"), "--until", "0.1", "--out", "joints.csv");
  for (const [name, wanted] of [["recorded", [["travel"], ["camber", "toe"]]], ["joints", [["A.angle", "B.angle"]]]]) {
    driftless("report", `${name}.csv`, "-o", `${name}_csv.html`);
    const { page, faults, close } = await open(`${name}_csv.html`);
    const names = await page.locator(".panel").evaluateAll((nodes) => nodes.map((node) => [...node.querySelectorAll(".name")].map((each) => each.textContent)));
    assert.deepEqual(names.slice(0, wanted.length), wanted);
    assert.deepEqual(names[wanted.length], ["phi", "phi_dot"]);
    assert.deepEqual(faults(), []);
    await close();
  }
});

test("the header says how a run ended, and leads to the warnings", async () => {
  const options = { bodies: 1, points: 50, frames: 20, samples: 50, nameOf: (k) => "bar" + k, model: "ends" };
  const ends = { ok: { warnings: [] }, warned: { warnings: ["the step is large", "a body has no mass"] }, failed: { status: "failed", message: "joint A is open", remedy: "try a smaller step", warnings: [] }, killed: null };
  for (const [name, report] of Object.entries(ends)) writePage(TEMPLATE, [makeRun({ ...options, report })], join(PAGES, `${name}.html`));
  const colours = {};
  await Promise.all([["ok", "ok"], ["warned", "ok, 2 warnings"], ["failed", "failed"], ["killed", "did not end"]].map(async ([name, text]) => {
    const { page, faults, close } = await open(`${name}.html`);
    const chip = page.locator(".fact", { hasText: "status" });
    assert.equal(await chip.locator("b").textContent(), text);
    colours[name] = await chip.locator("b").evaluate((node) => getComputedStyle(node).color);
    assert.equal(await page.textContent(".cards section:first-child h2"), name === "warned" ? "Warnings" : "What was run");
    assert.equal(await page.locator("header .reason").allTextContents().then((list) => list.join()), name === "failed" ? "joint A is open; try a smaller step" : "");
    if (name === "warned") {
      await chip.click();
      await page.waitForFunction(() => { const box = document.getElementById("warnings").getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; });
    }
    assert.deepEqual(faults(), []);
    await close();
  }));
  assert.equal(new Set([colours.ok, colours.warned, colours.failed]).size, 3, "colours tell them apart");
  assert.notEqual(colours.killed, colours.ok);
});

test("without WebGL the page says what to do, and has all the rest", async () => {
  const other = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-3d-apis"] });
  const { page, faults, close } = await open("slider_crank_bodies.html", {}, other);
  assert.match(await page.textContent(".nothing"), /^This browser shows no 3-D pictures.*WebGL.*turned off in its settings\. The plots and the report are complete\.$/);
  assert.deepEqual(await page.$$eval(".transport button:not([hidden])", (nodes) => nodes.map((node) => node.textContent)), ["▶ Play", "Loop"]);
  assert.equal(await page.locator(".panel canvas").count(), 6);
  assert.deepEqual(faults(), []);
  await close();
  await other.close();
});

test("inside a frame, as a notebook shows it", async () => {
  const text = readFileSync(join(PAGES, "slider_crank_bodies.html"), "utf8").replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  writeFileSync(join(PAGES, "notebook.html"), `<!doctype html><html data-ready="0"><iframe width="1000" height="700" srcdoc="${text}"></iframe></html>`);
  const { page, faults, close } = await open("notebook.html");
  const frame = page.frameLocator("iframe");
  await frame.locator(".play").click();
  await frame.locator('.play:has-text("Pause")').waitFor();
  assert.equal(await frame.locator(".panel").count(), 6);
  const [width, inner] = await frame.locator("html").evaluate((node) => [node.scrollWidth, node.clientWidth]);
  assert.ok(width <= inner, "it is wider than its frame");
  assert.deepEqual(faults(), []);
  await close();
});

/** Tables of the report: those that go out of their card, words in them that are broken inside, and empty ones. */
const findFaultyTables = (page) => page.evaluate(() => {
  const faults = [];
  for (const frame of document.querySelectorAll(".report .scroll")) {
    if (frame.clientWidth === 0) continue;
    const title = frame.closest("section").querySelector("h2").textContent;
    if (frame.scrollWidth > frame.clientWidth + 1) faults.push(`${title}: ${frame.scrollWidth} wide in ${frame.clientWidth}`);
    const walk = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode;
      if (node.parentElement.closest("code") || node.parentElement.getClientRects().length === 0) continue;
      for (const word of node.data.matchAll(/[^\s-]+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const boxes = [...range.getClientRects()];
        if (new Set(boxes.map((box) => Math.round(box.top))).size > 1) faults.push(`${title}: ${word[0]} is broken`);
        if (boxes.some((box) => box.right > innerWidth)) faults.push(`${title}: ${word[0]} is off the screen`);
      }
    }
  }
  return faults;
});

test("tables show all of their columns, with words in one piece, and say so if they do not", async () => {
  const pages = ["double_four_bar_bodies.html", "four_bar_3d.html"].flatMap((file) => [1440, 390].map((width) => [file, width]));
  await Promise.all(pages.map(async ([file, width]) => {
    const { page, faults, close } = await open(file, { viewport: { width, height: 844 } });
    assert.deepEqual(await findFaultyTables(page), [], `${file} at ${width}`);
    assert.equal(await page.locator(".hint:visible").count(), 0);
    await page.locator(".report").screenshot({ path: join(SHOTS, `${file.replace(".html", "")}_report_${width}.png`) });
    if (width === 390 && file.startsWith("double")) {
      // Every figure says of which run it is.
      const row = page.locator(".report tr", { hasText: "Evaluations" });
      assert.equal(await row.locator("td .of:visible").count(), 3);
    }
    assert.deepEqual(faults(), []);
    await close();
  }));
  const { page, faults, close } = await open("four_bar_3d.html", { viewport: { width: 600, height: 800 } });
  assert.equal(await page.locator(".hint:visible").count(), 1, "no hint that there is more");
  const frame = page.locator(".scroll:has(.grid)");
  const place = () => frame.locator("tbody th").first().evaluate((node) => node.getBoundingClientRect().left);
  const before = await place();
  await frame.evaluate((node) => node.scrollTo(1000, 0));
  await page.waitForFunction(() => [...document.querySelectorAll(".hint")].every((node) => node.hidden));
  assert.equal(await place(), before, "the names go away");
  assert.deepEqual(faults(), []);
  await close();
});

test("a long table says that there is more below, and scrolls by the keyboard under its heads", async () => {
  driftless("run", model("machines/stewart_platform.toml"), "--until", "0.1");
  const { page, faults, close } = await open("stewart_platform.html");
  const frame = page.locator(".scroll:has(.grid)");
  const hint = page.locator(".hint:visible");
  assert.equal(await hint.textContent(), "More below ↓");
  const place = () => frame.locator("thead th").first().evaluate((node) => node.getBoundingClientRect().top - node.closest(".scroll").getBoundingClientRect().top);
  await frame.focus();
  const before = await place();
  await page.keyboard.press("End");
  await hint.waitFor({ state: "hidden" });
  assert.equal(await clock(page), 0, "the key also moves the time");
  assert.ok(Math.abs((await place()) - before) < 1, "the heads go away");
  assert.ok(await frame.locator("tbody th").last().evaluate((node) => node.getBoundingClientRect().bottom <= node.closest(".scroll").getBoundingClientRect().bottom + 1));
  assert.deepEqual(faults(), []);
  await close();
});

test("on a phone nothing is wider than the screen", async () => {
  const pages = [["double_four_bar_bodies.html", "light"], ["windows.html", "light"], ["four_bar_3d.html", "dark"], ["slider_crank_bodies.html", "dark"]];
  await Promise.all(pages.map(async ([file, colorScheme]) => {
    const { page, faults, close } = await open(file, { viewport: { width: 380, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme });
    if (file.startsWith("four")) {
      await page.tap('.transport button:text-is("Reactions")');
      await page.tap(".play");
      await page.waitForFunction(() => parseFloat(document.querySelector(".transport output").textContent) > 0);
      await page.tap(".play");
    }
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 380, file);
    await shoot(page, file.replace(".html", "_phone"), false);
    assert.deepEqual(faults(), []);
    await close();
  }));
});

const HOSTILE = '</script><img src=x onerror="alert(1)"> "\' & <b>';

test("names are shown as text, whatever they contain", async () => {
  writePage(TEMPLATE, [makeRun({ bodies: 3, points: 50, frames: 20, samples: 50, nameOf: (k) => HOSTILE + k, model: HOSTILE })], join(PAGES, "hostile.html"));
  writeFileSync(join(PAGES, "hostile.csv"), `t,"${HOSTILE.replace(/"/g, '""')}"\n0,1\n1,2\n2,0\n`);
  driftless("report", "hostile.csv", "-o", "hostile_csv.html");
  for (const file of ["hostile.html", "hostile_csv.html"]) {
    const { page, faults, close } = await open(file);
    assert.equal(await page.$$eval("img, b > b, .panel b", (nodes) => nodes.length), 0);
    assert.ok((await page.textContent("#app")).includes(HOSTILE), "the name is not there as it is");
    if (file === "hostile.html") {
      await page.locator(".tree button").first().click();
      assert.ok((await page.textContent(".panel h3")).includes(HOSTILE));
      for (const row of ["Points", "Frames"]) await page.locator(`.tree .row:has(span:text-is("${row}")) button`).first().click();
      assert.equal(await page.$$eval(".legend > div", (nodes) => nodes.length), 2);
      assert.ok((await page.textContent(".legend")).includes(HOSTILE));
      assert.ok((await page.textContent(".note")).includes(HOSTILE));
      const box = await page.locator(".view canvas").boundingBox();
      for (let x = 0.1; x < 0.9; x += 0.05) await page.mouse.move(box.x + x * box.width, box.y + box.height / 2);
    }
    assert.deepEqual(faults(), []);
    await close();
  }
});

test("arrows of a thinned run are those of one moment, not the extremes of its columns", async () => {
  const none = Object.fromEntries(["x", "y", "z"].map((axis) => [`bar0_push.force.${axis}`, () => 0]));
  const run = makeRun({ bodies: 1, points: 50, frames: 20, samples: 1e5, nameOf: (k) => "bar" + k, model: "loads", values: none });
  run.json.sampled = ["x", "y", "z"].map((axis) => run.json.columns.findIndex((column) => column.name === `bar0_push.force.${axis}`));
  run.loads = [5, 0, 2].map((value) => encode(new Float32Array(20).fill(value))).join("");
  writePage(TEMPLATE, [run], join(PAGES, "loads.html"));
  const { page, faults, close } = await open("loads.html");
  const before = await inked(page);
  await page.click('.transport button:text-is("Forces")');
  await changed(page, before, "there is no arrow");
  assert.match(await page.textContent(".corner"), /as an arrow [\d.]+ N/);
  assert.match(await page.textContent("footer"), /animation shows one of every 5000 samples/);
  assert.deepEqual(faults(), []);
  await close();
});

test("a million samples and 200 bodies start within three seconds", async () => {
  // As the program thins it: 200 bodies in space with their rates have 2604 columns.
  const run = makeRun({ bodies: 200, points: 1150, frames: 1000, samples: 1e6, nameOf: (k) => "body" + k, model: "large", rates: true });
  writePage(TEMPLATE, [run], join(PAGES, "large.html"));
  assert.ok(statSync(join(PAGES, "large.html")).size < 40e6);
  let session;
  const { page, faults, close } = await open("large.html", {}, browser, async (fresh) => {
    session = await fresh.context().newCDPSession(fresh);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
  });
  // What the page's process has worked, all its threads together: by the clock a busy machine takes longer. The process
  // that draws is not counted: it stands for a graphics card.
  const { metrics } = await session.send("Performance.getMetrics");
  const seconds = metrics.find(({ name }) => name === "ProcessTime").value;
  console.log(`started with ${seconds} s of work, ${await page.getAttribute("html", "data-ready")} ms by the clock`);
  assert.ok(seconds > 0.1 && seconds < 3, `it took ${seconds} s`);
  assert.match(await page.textContent("footer"), /of 1000000 samples/);
  assert.deepEqual(faults(), []);
  await close();
});

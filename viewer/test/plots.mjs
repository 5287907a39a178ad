// Plots: quantities, axes, zoom, what is saved.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeRun, writePage } from "./fixture.mjs";
import { clock, drag, drawn, driftless, model, open, PAGES, panelOf, save, scrub, shoot, tap, TEMPLATE } from "./harness.mjs";

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
  await panel.locator('button:text-is("log")').click();
  assert.equal(await panel.locator('button:text-is("log")').getAttribute("aria-pressed"), "true");
  const over = panel.locator(".u-over");
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.ok(Math.abs((await clock(page)) - 5) < 0.2, "a click in a plot moves the animation");
  const lines = await page.$$eval(".now", (nodes) => nodes.map((node) => new DOMMatrix(getComputedStyle(node).transform).e / node.parentElement.clientWidth));
  for (const share of lines) assert.ok(Math.abs(share - 0.5) < 0.03);
  assert.deepEqual(faults(), []);
  await close();
});

test("time may be logarithmic: decades are as far apart as decades, and a click leads to the time under it", async () => {
  driftless("run", model("slider_crank_bodies.toml"), "--until", "10", "--every", "0.001", "--step", "0.005", "--out", "logtime.html");
  const { page, faults, close } = await open("logtime.html");
  const panel = page.locator(".panel").first();
  const timeButton = panel.locator('button:text-is("log t")');
  await timeButton.click();
  assert.equal(await timeButton.getAttribute("aria-pressed"), "true");
  const box = await panel.locator(".u-over").boundingBox();
  const goTo = async (share) => { await page.mouse.click(box.x + share * box.width, box.y + box.height / 2); return clock(page); };
  const [first, second, third] = [await goTo(0.5), await goTo(0.75), await goTo(1 - 1e-3)];
  // From 0.001 s, the first time that is on it, to 10 s: four decades.
  assert.ok(Math.abs(Math.log10(second / first) - 1) < 0.03 && Math.abs(Math.log10(third / second) - 1) < 0.03, `${first} ${second} ${third}`);
  const svg = await save(page, panel, "SVG");
  for (const label of [">0.001<", ">0.1<", ">10<"]) assert.ok(svg.includes(label), `${label} is missing`);
  assert.ok(!/NaN|Infinity/.test(svg));
  await page.keyboard.press("Home");  // the start is not on it
  await drawn(page);
  assert.equal(await panel.locator(".now").evaluate((node) => node.style.display), "none");
  await shoot(page, "log_time");
  await timeButton.click();
  assert.ok(Math.abs((await goTo(0.5)) - 5) < 0.05);
  assert.deepEqual(faults(), []);
  await close();
});

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
    await scrub(page, 1200);  // between points 7 and 8
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
  await drag(page, { x: x + 0.4 * width, y: y + 60 }, { x: x + 0.44 * width, y: y + 60 });
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
  await scrub(page, 3000);
  const cursors = () => page.$$eval(".now", (nodes) => nodes.map((node) => (
    node.getClientRects().length > 0 ? new DOMMatrix(getComputedStyle(node).transform).e / node.parentElement.clientWidth : -1)));
  const check = async (share, what) => {
    await drawn(page);
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
  await drag(page, { x: box.x + 0.2 * box.width, y: box.y + 40 }, { x: box.x + 0.6 * box.width, y: box.y + 40 });
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

test("where there is no value there is a gap; times of another run are none", async () => {
  const make = (points, values) => makeRun({ bodies: 1, points, frames: 20, samples: points, nameOf: (k) => "bar" + k, model: "gaps", label: `of ${points}`, values: { bar0_record: values } });
  writePage(TEMPLATE, [make(60, (k) => (k > 20 && k < 40 ? NaN : 1)), make(75, () => 2)], join(PAGES, "gaps.html"));
  const { page, faults, close } = await open("gaps.html");
  const panel = panelOf(page, "bar0_record");
  const svg = await save(page, panel, "SVG");
  const paths = [...svg.matchAll(/<path d="([^"]*)"/g)].map((found) => found[1].split("M").length - 1);
  assert.deepEqual(paths, [2, 1]);
  // In the picture: coloured pixels in the middle of the plot's width, at the heights of both curves.
  const inks = await panel.locator("canvas").evaluate((canvas) => {
    const { width, height } = canvas, data = canvas.getContext("2d").getImageData(Math.round(0.56 * width), 0, 1, height).data;
    let runs = 0;
    for (let y = 0, was = false; y < height; ++y) {
      const [r, g, b, a] = data.slice(4 * y, 4 * y + 4), is = a > 150 && Math.max(r, g, b) - Math.min(r, g, b) > 60;
      if (is && !was) ++runs;
      was = is;
    }
    return runs;
  });
  assert.equal(inks, 1, "the curve without a gap alone");
  assert.deepEqual(faults(), []);
  await close();
});

test("axes of the largest and the smallest numbers have ticks, too", async () => {
  for (const size of [1e37, 1e-37, 1e12]) {
    const run = makeRun({ bodies: 1, points: 50, frames: 20, samples: 50, nameOf: (k) => "bar" + k, model: "sizes", values: { bar0_record: (k) => size * Math.sin(k) } });
    writePage(TEMPLATE, [run], join(PAGES, "sizes.html"));
    const { page, faults, close } = await open("sizes.html");
    const svg = await save(page, panelOf(page, "bar0_record"), "SVG");
    const labels = [...svg.matchAll(/text-anchor="end">([^<]+)</g)].map((found) => found[1]);
    assert.ok(labels.length >= 3 && labels.length <= 9, `${size}: ${labels}`);
    assert.ok(labels.includes("0") && labels.every((label) => label.length <= 8), `${size}: ${labels}`);
    assert.deepEqual(faults(), []);
    await close();
  }
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

test("a part of the time is chosen by mouse, finger or key, and all of it shown again", async () => {
  const { page, faults, close } = await open("slider_crank_bodies.html", { hasTouch: true });
  // How much of the plot's width a tenth of a second takes: the cursor of the animation tells.
  const now = () => page.$eval(".now", (node) => (node.getClientRects().length > 0 ? new DOMMatrix(getComputedStyle(node).transform).e / node.parentElement.clientWidth : -1));
  const at = async (seconds) => {
    await scrub(page, 1000 * seconds);
    return now();
  };
  const shows = async (from, to, what) => {
    for (const share of [0.5, 0.25]) {
      const seconds = from + share * (to - from), place = await at(seconds);
      assert.ok(Math.abs(place - share) < 0.012, `${what}: ${seconds} s is at ${place}`);
    }
    assert.equal(await page.locator(".panel .all:visible").count(), to - from < 10 ? await page.locator(".panel").count() : 0, `${what}: buttons that show all`);
  };
  const over = page.locator(".panel .u-over").first();
  await over.scrollIntoViewIfNeeded();
  await shows(0, 10, "at first");

  const { x, y, width, height } = await over.boundingBox();
  await drag(page, { x: x + 0.2 * width, y: y + 40 }, { x: x + 0.6 * width, y: y + 40 });
  await shows(2, 6, "a drag by the mouse");
  await page.locator(".panel .all").nth(1).click();
  await shows(0, 10, "the button");

  const session = await page.context().newCDPSession(page);
  const touch = (type, ...places) => session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map((share, id) => ({ x: x + share * width, y: y + height / 2, id })) });
  await touch("touchStart", 0.5);
  for (const share of [0.55, 0.6, 0.7, 0.8]) await touch("touchMove", share);
  await touch("touchEnd");
  await shows(5, 8, "a drag by a finger");
  await tap(page, ".panel .all", async () => !(await page.locator(".panel .all").first().isVisible()));
  await shows(0, 10, "the button by a finger");

  await touch("touchStart", 0.4, 0.6);
  for (const spread of [0.15, 0.2, 0.3, 0.4]) await touch("touchMove", 0.5 - spread, 0.5 + spread);
  await touch("touchEnd");
  await shows(3.75, 6.25, "two fingers");
  await page.keyboard.press("a");
  await shows(0, 10, "the key A");

  await at(3);
  for (let k = 0; k < 2; ++k) await page.keyboard.press("z");
  await shows(1.75, 4.25, "the key Z");
  await at(3);
  await page.keyboard.press("Shift+Z");
  await shows(0.5, 5.5, "Z with shift");
  await over.dblclick();
  await shows(0, 10, "a double click");
  const help = await page.textContent("footer");
  assert.match(help, /“show all”/);
  assert.match(help, /A all of it/);
  assert.deepEqual(faults(), []);
  await close();
});

test("at the start there is no step, and no value is no number with a unit", async () => {
  const values = { step: (k) => (k === 0 ? 0 : 0.25), bar0_record: (k) => (k < 5 ? NaN : 1) };
  writePage(TEMPLATE, [makeRun({ bodies: 1, points: 50, frames: 20, samples: 50, nameOf: (k) => "bar" + k, model: "first", values })], join(PAGES, "first.html"));
  writePage(TEMPLATE, [makeRun({ bodies: 1, points: 50, frames: 20, samples: 5000, nameOf: (k) => "bar" + k, model: "first", values })], join(PAGES, "first_thinned.html"));
  for (const [file, first] of [["first.html", "–"], ["first_thinned.html", "0.25 s"]]) {
    const { page, faults, close } = await open(file);
    const valueOf = (title) => panelOf(page, title).locator(".value").first().textContent();
    assert.equal(await valueOf("Step size"), first);
    assert.equal(await valueOf("bar0_record"), "–");
    await scrub(page, 9000);
    assert.equal(await valueOf("Step size"), "0.25 s");
    assert.equal(await valueOf("bar0_record"), "1 m");
    assert.deepEqual(faults(), []);
    await close();
  }
});

test("a run that fails in its first step has nothing to plot, and says why", async () => {
  const file = model("double_four_bar_bodies.toml");
  assert.throws(() => driftless("run", file, "--until", "10", "--step", "5", "--method", "index1/heun", "--out", "stuck.h5"));
  driftless("run", file, "--until", "2", "--every", "0.02", "--step", "0.02", "--out", "fine.h5");
  driftless("report", "stuck.h5", "-o", "stuck.html");
  driftless("report", "fine.h5", "stuck.h5", "-o", "fine_stuck.html");
  const alone = await open("stuck.html");
  const note = alone.page.locator(".moment");
  assert.match(await note.textContent(), /^Nothing to plot over time.*of t = 0 s.*x3.*2 m/s);
  assert.match(await alone.page.textContent("header .reason"), /open by 5\.89 m/);
  assert.ok(await alone.page.isDisabled(".play"));
  assert.equal(await alone.page.locator(".chart").count(), 0);
  await alone.page.click(".add");
  const panel = alone.page.locator(".panel:not(.moment)");
  await panel.locator("input").fill("x3");
  await panel.locator("input").dispatchEvent("change");
  const svg = await save(alone.page, panel, "SVG");
  const times = [...svg.matchAll(/text-anchor="middle">([−\d.]+)</g)].map((found) => Number(found[1].replace("−", "-")));
  assert.ok(times.length > 2 && Math.min(...times) >= -0.5 && Math.max(...times) <= 0.5, `times from ${times}`);
  await shoot(alone.page, "stuck");
  assert.deepEqual(alone.faults(), []);
  await alone.close();

  // Beside another run its one sample is a dot.
  const both = await open("fine_stuck.html");
  assert.equal(await both.page.locator(".moment").count(), 0);
  assert.match(await both.page.textContent(".report"), /open by 5\.89 m/);
  assert.deepEqual(both.faults(), []);
  await both.close();
});

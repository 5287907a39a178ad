// Playing, keys, pointing and selecting.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { changed, clock, drag, drawn, driftless, findSpot, inked, model, open, scrub, shoot } from "./harness.mjs";

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
  await drawn(page, 10);
  assert.equal(await clock(page), paused, "it goes on after a pause");

  await scrub(page, 5000);
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
  await drag(page, middle, { x: middle.x - 180, y: middle.y + 120 }, "right");
  await changed(page, before, "the picture cannot be moved");
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

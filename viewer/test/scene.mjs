// The picture: all of the motion is in it, nothing is a hair, arrows, meshes, several runs.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeRun, writePage } from "./fixture.mjs";
import { changed, coloured, drawn, driftless, findSpot, inked, model, open, PAGES, scrub, shoot, TEMPLATE } from "./harness.mjs";

/** Numbers between 0 and 1 that are the same in every run. */
function makeDice(seed) {
  return () => { seed = (1103515245 * seed + 12345) % 2147483648; return seed / 2147483648; };
}

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
    for (const share of [0, 1600, 4700]) {
      await scrub(page, share);
      const { all, edge } = await coloured(page);
      assert.ok(all > 3000, `${all} pixels at ${viewport.width}`);
      assert.equal(edge, 0, `the picture is cut at ${viewport.width}`);
    }
    // A spring that hangs has its mount above it, a belt its two strands.
    if (viewport.width > 1000) {
      await scrub(page, 0);
      const mount = await findSpot(page, "spring damper hanger"), belt = await findSpot(page, "belt strap", 0.3, 0.003);
      assert.ok(mount, "no mount");
      assert.ok(belt, "no belt");
      await shoot(page, "shapes");
    }
    assert.deepEqual(faults(), []);
    await close();
  }));
});

test("a body without a shape is in the first view, from its one joint to its mass centre", async () => {
  driftless("run", model("elements/drive.toml"), "--out", "bare.html");
  const { page, faults, close } = await open("bare.html");
  for (const share of [0, 2000, 6000]) {
    await scrub(page, share);
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
  for (const share of [0, 700, 2500]) {
    await scrub(rods.page, share);
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

test("trails and guides are no hairs", async () => {
  driftless("run", model("slider_crank_bodies.toml"), "--until", "4", "--every", "0.01", "--out", "trail.html");
  const { page, faults, close } = await open("trail.html", { deviceScaleFactor: 2 });  // there a line of WebGL is half as wide
  await scrub(page, 10000);
  /** Of the lines that the picture has now and the one before has not, in each column of pixels on the left share of it:
      how many pixels follow each other. The pictures stay in the page: they are large. */
  const listRuns = (share, keep) => page.evaluate(([share, keep]) => {
    const canvas = document.querySelector(".view canvas"), copy = document.createElement("canvas");
    const { width, height } = Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const after = context.getImageData(0, 0, width, height).data.filter((_, k) => k % 4 === 3);  // how opaque each pixel is
    const runs = [];
    for (let x = 0; x < share * width; ++x) for (let y = 0, run = 0; y < height; ++y) {
      const at = y * width + x;
      if (after[at] > 120 && !(window.before?.[at] >= 60)) ++run;
      else if (run > 0) { runs.push(run); run = 0; }
    }
    if (keep) window.before = after;
    return runs.sort((a, b) => a - b);
  }, [share, keep]);
  // At the left there are the slider's guide and the grid: lines along, of one pixel, and lines up.
  const guide = Math.max(...(await listRuns(0.06, true)).filter((run) => run < 40));
  assert.ok(guide >= 4 && guide <= 6, `the guide is ${guide} pixels wide`);
  await page.click('.tree .row:has(span:text-is("Points")) button:text-is("P")');
  await drawn(page);
  const runs = await listRuns(1, false);
  const trail = runs[runs.length >> 2];  // where it goes along, not up
  assert.ok(trail >= 4 && trail <= 6, `a trail is ${trail} pixels wide`);
  assert.deepEqual(faults(), []);
  await close();
});

test("stops are blocks where a joint has its limits, on one side or on both", async () => {
  driftless("run", model("elements/stop.toml"), "--out", "stop.html");
  const { page, faults, close } = await open("stop.html");
  const findEnds = (page) => page.evaluate(() => {
    const canvas = document.querySelector(".view canvas"), box = canvas.getBoundingClientRect(), found = [];
    for (let x = 0.01; x < 1; x += 0.004) for (let y = 0.2; y < 0.9; y += 0.02) {
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true }));
      const tip = document.querySelector(".tip");
      if (!tip.hidden && tip.textContent.startsWith("stop")) found.push(x);
    }
    return [Math.min(...found), Math.max(...found)];
  });
  const [left, right] = await findEnds(page);
  assert.ok(left < 0.3 && right > 0.7, `${left} to ${right}`);
  await shoot(page, "stop");
  assert.deepEqual(faults(), []);
  await close();
  const text = readFileSync(model("elements/stop.toml"), "utf8").replace(/^low = .*\n/m, "");
  writeFileSync(join(PAGES, "one_stop.toml"), text);
  driftless("run", "one_stop.toml", "--until", "2", "--out", "one_stop.html");
  const other = await open("one_stop.html");
  const [begin, end] = await findEnds(other.page);
  assert.ok(end > begin && end - begin < 0.15, `one block, from ${begin} to ${end}`);
  await other.close();
});

test("a trail inside a solid is seen through it", async () => {
  const box = { kind: "box", size: [3, 3, 3], radius: 0, thickness: 0, axis: [0, 0, 1], from: [0, 0, 0], to: [0, 0, 0] };
  writePage(TEMPLATE, [makeRun({ bodies: 1, points: 60, frames: 60, samples: 60, nameOf: () => "block", model: "block", shapeOf: () => box })], join(PAGES, "block.html"));
  const { page, faults, close } = await open("block.html");
  await scrub(page, 10000);
  const before = await inked(page);
  await page.keyboard.press("t");
  await page.click('.tree button:text-is("block")');
  await changed(page, before, "the trail is hidden");
  await shoot(page, "trail_inside");
  assert.deepEqual(faults(), []);
  await close();
});

test("a pin moves in its slot", async () => {
  driftless("run", model("elements/slot.toml"));
  const { page, faults, close } = await open("slot.html");
  const far = await findSpot(page, "slot pin");
  const before = await inked(page);
  await scrub(page, 540);  // about half a turn of the crank
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
  await scrub(page, 3000);
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
  await scrub(page, 5350);
  await shoot(page, "double_four_bar_bodies");
  assert.deepEqual(faults(), []);
  await close();
});

test("a mechanism in space, in the dark, with reactions and a strobe", async () => {
  driftless("run", model("four_bar_3d.toml"), "--until", "10", "--every", "0.01");
  const { page, faults, close } = await open("four_bar_3d.html", { colorScheme: "dark" });
  assert.equal(await page.getAttribute("html", "data-theme"), "dark");
  await scrub(page, 1700);
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
  await scrub(page, 2000);
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
  await scrub(page, 3300);
  await shoot(page, "windows");
  assert.deepEqual(faults(), []);
  await close();
});

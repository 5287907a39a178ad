// First plots, header, report, and the page in narrow, dark and hostile surroundings.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { encode, makeRun, writePage } from "./fixture.mjs";
import { browser, changed, chromium, clock, drawn, driftless, inked, model, open, PAGES, save, shoot, SHOTS, tap, TEMPLATE } from "./harness.mjs";

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
      for (const word of node.data.matchAll(/--[a-z][\w-]*|[^\s-]+/g)) {
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
      const reads = (selector, text) => async () => (await page.locator(selector).textContent()).includes(text);
      const reactions = '.transport button:text-is("Reactions")';
      await tap(page, reactions, async () => (await page.getAttribute(reactions, "aria-pressed")) === "true");
      await tap(page, ".play", reads(".play", "Pause"));
      await page.waitForFunction(() => parseFloat(document.querySelector(".transport output").textContent) > 0);
      await tap(page, ".play", reads(".play", "Play"));
    }
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 380, file);
    await shoot(page, file.replace(".html", "_phone"), false);
    for (const width of [380, 360, 320]) {
      await page.setViewportSize({ width, height: 780 });
      await drawn(page);
      const lines = await page.locator(".panel .head:visible").evaluateAll((heads) => heads.map((head) => {
        const places = [...head.children].filter((node) => node.offsetWidth > 0).map((node) => node.getBoundingClientRect());
        const remove = head.lastElementChild.getBoundingClientRect();
        const title = head.firstElementChild.getBoundingClientRect();
        // Lines of what is beside each other, by the middles.
        const middles = new Set(places.map((place) => Math.round((place.top + place.bottom) / 2 / 8)));
        return { count: middles.size, beside: remove.top < title.bottom && title.top < remove.bottom };
      }));
      assert.ok(lines.length > 0);
      for (const { count, beside } of lines) assert.ok(beside && count <= 2, `${file} at ${width}: ${count} lines, × ${beside ? "" : "not "}beside the title`);
    }
    assert.deepEqual(faults(), []);
    await close();
  }));
});

const HOSTILE = '</script><img src=x onerror="alert(1)"> "\' & <b>';

test("a table from elsewhere: no report of nothing, and infinities leave room for the rest", async () => {
  writeFileSync(join(PAGES, "table.csv"), "t,x,y\n0,1,-inf\n1,nan,2\n2,inf,3\n3,4,5\n");
  driftless("report", "table.csv", "-o", "table.html");
  const { page, faults, close } = await open("table.html");
  assert.equal(await page.locator(".fact").count(), 0);
  assert.match(await page.textContent(".report"), /a table without a report/);
  assert.deepEqual(await page.$$eval(".report h2", (nodes) => nodes.map((node) => node.textContent)), ["What was run", "Cost"], "no empty cards");
  const svg = await save(page, page.locator(".panel").first(), "SVG");
  const labels = [...svg.matchAll(/text-anchor="end">([^<]+)</g)].map((found) => Number(found[1]));
  assert.ok(labels.length > 2 && Math.max(...labels) <= 6, `ticks at ${labels}`);
  assert.equal((svg.match(/<path d="M/g) ?? []).length, 2);
  await shoot(page, "table");
  assert.deepEqual(faults(), []);
  await close();
});

test("several long runs share what a page holds, and it says what it leaves out", async () => {
  const WIDTH = 300, ROWS = 6000, PEAK = 1234;
  const head = ["t", ...Array.from({ length: WIDTH }, (_, k) => "c" + k)].join(",");
  const rows = Array.from({ length: ROWS }, (_, k) => k + `,${k === PEAK ? 7 : k % 2}`.repeat(WIDTH));
  const files = ["shared_a.csv", "shared_b.csv", "shared_c.csv"];
  for (const file of files) writeFileSync(join(PAGES, file), [head, ...rows, ""].join("\n"));
  driftless("report", files[0], "-o", "shared_one.html");
  driftless("report", ...files, "-o", "shared.html");
  const sizes = ["shared_one.html", "shared.html"].map((file) => statSync(join(PAGES, file)).size);
  assert.ok(sizes[1] < 2 * sizes[0], `${sizes[1]} bytes of three runs, ${sizes[0]} of one`);
  const { page, faults, close } = await open("shared.html");
  const foot = await page.textContent("footer");
  for (const label of ["shared_a", "shared_b", "shared_c"])
    assert.match(foot, new RegExp(`${label}.*: plots show the smallest and the largest of every 4 of ${ROWS} samples`));
  const data = await save(page, page.locator(".panel").first(), "CSV");
  assert.ok(data.split("\n").some((line) => /,7(,|$)/.test(line)), "the peak is lost");
  assert.deepEqual(faults(), []);
  await close();
});

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

test("names of 200 letters stay inside, on a screen and on a phone", async () => {
  const run = makeRun({ bodies: 2, points: 50, frames: 20, samples: 50, nameOf: (k) => `${k}`.repeat(100) + "ü".repeat(100), model: "long" });
  writePage(TEMPLATE, [run], join(PAGES, "long_names.html"));
  for (const width of [1440, 390]) {
    const { page, faults, close } = await open("long_names.html", { viewport: { width, height: 900 } });
    const out = await page.evaluate(() => [...document.querySelectorAll(".card")].flatMap((card) => {
      const { left, right } = card.getBoundingClientRect();
      return [...card.querySelectorAll("h1, h2, h3, p, li, button, .name, td, th")].filter((node) => {
        const box = node.getBoundingClientRect();
        const words = document.createRange();  // they may reach beyond the box of what holds them
        words.selectNodeContents(node);
        const { right: end } = node.matches("button") ? box : words.getBoundingClientRect();
        return box.width > 0 && !node.closest(".uplot") && (box.left < left - 1 || Math.max(box.right, end) > right + 1);
      }).map((node) => `${node.tagName}: ${node.textContent.slice(0, 20)}`);
    }));
    assert.deepEqual(out, [], `${width} pixels`);
    // Of titles and legends the middle is left out, on the page and in what is saved; a title tells all.
    const whole = "0".repeat(100) + "ü".repeat(100) + "_record", panel = page.locator(".panel").first();
    const heading = await panel.locator("h3").textContent();
    assert.match(heading, /^0{32}…ü+_record$/);
    assert.equal(await panel.locator("h3").getAttribute("title"), whole);
    assert.equal(await panel.locator(".name").textContent(), heading);
    assert.equal(await panel.locator(".name").getAttribute("title"), whole);
    assert.match(await page.locator(".tree button").first().textContent(), /^0+…ü+$/);
    const svg = await save(page, panel, "SVG");
    const cut = await page.evaluate((svg) => {
      const frame = document.createElement("div");
      frame.innerHTML = svg;
      document.body.append(frame);
      const picture = frame.firstChild.getBoundingClientRect();
      const list = [...frame.querySelectorAll("text")].filter((node) => node.getBoundingClientRect().right > picture.right);
      frame.remove();
      return list.map((node) => node.textContent);
    }, svg);
    assert.deepEqual(cut, []);
    assert.match(svg, />0+…ü+_record</);
    await shoot(page, `long_names_${width}`);
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

// Pictures of report pages in a headless browser. Called by draw.sh:
//   node shoot.mjs FOLDER-WITH-NODE_MODULES PAGES IMAGES
// PAGES holds the pages that draw.sh made; CHROMIUM names the browser (default chromium).
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, pages, images] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");

// File, what is shown: light or dark, share of the run, buttons to press.
const PICTURES = [
  ["slider_crank", "light", 0.3, ["Strobe", "Reactions", "P"]],
  ["double_four_bar", "light", 0.43, ["P1", "P3"]],
  ["stewart_platform", "dark", 0.3, ["Forces", "Reactions", "P1", "P3", "P5"]],
  ["windows", "light", 0.5, ["Reactions"]],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
for (const [name, colorScheme, share, buttons] of PICTURES) {
  const context = await browser.newContext({ viewport: { width: 1180, height: 720 }, colorScheme, offline: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(pages, `${name}.html`)).href);
  await page.waitForSelector("html[data-ready]", { timeout: 60000 });
  await page.fill(".scrub", String(Math.round(10000 * share)));
  for (const label of buttons) await page.click(`.transport button:text-is("${label}"), .tree .row:has(span:text-is("Points")) button:text-is("${label}")`);
  await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
  // A gradient takes as many bytes as all the rest.
  await page.evaluate(() => { document.querySelector(".view").style.background = "var(--stage-a)"; });
  await page.mouse.move(5, 5);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(images, `page_${name}.png`) });
  await context.close();
}
await browser.close();

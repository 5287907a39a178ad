// The report page in a real browser, from file://, with every other address blocked. One process, one after the other: a
// browser that draws without a graphics card keeps the machine busy. Environment: see harness.mjs.
import "./play.mjs";
import "./plots.mjs";
import "./scene.mjs";
import "./report.mjs";

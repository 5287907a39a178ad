// What the mechanism is made of, by name. A click selects.

import type { SceneData } from "./data";
import { make, setPressed, shorten } from "./dom";
import { colour, type Selection, type State } from "./state";
import { listNamed } from "./trails";

const ROOM = 50;  // letters, on a phone

/** Names whose buttons draw a path. */
function addNamed(state: State, scene: SceneData, node: HTMLElement) {
  for (const [kind, title] of [["point", "Points"], ["frame", "Frames"]] as const) {
    const named = listNamed(scene).filter((each) => each.kind === kind);
    if (named.length === 0) continue;
    const list = make("div", { class: "items" });
    for (const { label, hint, trail } of named) {
      const each = make("button", { type: "button", title: hint, "aria-pressed": "false" }, shorten(label, ROOM));
      each.addEventListener("click", () => state.toggleTrail(trail));
      state.on("trails", () => setPressed(each, state.trails.includes(trail)));
      list.append(each);
    }
    node.append(make("div", { class: "row" }, make("span", { title: "A click draws the path" }, title), list));
  }
}

export function makeTree(state: State, scene: SceneData, toggleTrail: (selection: Selection) => void): HTMLElement {
  const node = make("nav", { class: "card tree", "aria-label": "Parts of the mechanism" });
  const buttons: { selection: Selection; node: HTMLElement }[] = [];
  const addRow = (title: string, items: { selection: Selection; text: string; colour?: string; hint: string }[]) => {
    if (items.length === 0) return;
    const list = make("div", { class: "items" });
    for (const item of items) {
      const each = make("button", { type: "button", title: item.hint, "aria-pressed": "false" });
      if (item.colour) {
        const dot = make("span", { class: "swatch" });
        dot.style.background = item.colour;
        each.append(dot);
      }
      each.append(shorten(item.text, ROOM));
      each.addEventListener("click", () => (state.placingTrail ? toggleTrail(item.selection) : state.select(item.selection)));
      buttons.push({ selection: item.selection, node: each });
      list.append(each);
    }
    node.append(make("div", { class: "row" }, make("span", {}, title), list));
  };
  addRow("Bodies", scene.bodies.map((body, k) => ({
    selection: { kind: "body", name: body.name }, text: body.name, hint: `body ${body.name}`,
    colour: state.runs.length > 1 ? undefined : colour(k),
  })));
  for (const [kind, title] of [["joint", "Joints"], ["constraint", "Constraints"], ["force", "Forces"]] as const) {
    addRow(title, scene.elements.filter((each) => each.kind === kind).map((each) => ({
      selection: { kind, name: each.name }, text: each.name, hint: `${each.type.replace(/_/g, " ")} ${each.name}`,
    })));
  }
  addNamed(state, scene, node);
  state.on("selection", () => {
    for (const each of buttons) {
      const chosen = state.selection?.name === each.selection.name && state.selection.kind === each.selection.kind;
      setPressed(each.node, chosen);
      if (chosen) each.node.scrollIntoView({ block: "nearest" });
    }
  });
  return node;
}

// Elements of the page. Names from models come in as text nodes only: what they contain is shown, never run.

type Child = Node | string | null | undefined;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  for (const child of children) if (child != null) node.append(child);
  return node;
}

export const LONG = 48;  // letters: a longer word does not fit into a line of a table

/** At most so many letters: of a longer text the middle is left out, because names differ at their beginnings and ends. */
export function shorten(text: string, most = 64): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const head = Math.ceil((most - 1) / 2);
  return letters.slice(0, head).join("") + "…" + letters.slice(letters.length - (most - 1 - head)).join("");
}

/** A text that may go on in the next line between its words and behind the separators of names, and nowhere else unless a
    word is very long. Options as --method stay whole. */
export function breakable(text: string): (Node | string)[] {
  return text.split(/(--[a-z][\w-]*)/).flatMap((part, k) => (k % 2 === 1 ? [make("span", { class: "whole" }, part)] : breakNames(part)));
}

function breakNames(text: string): (Node | string)[] {
  const cut = (word: string) => (word.length > LONG ? word.replace(/.{8}(?=.)/gu, "$&\n") : word);
  return text.split(/(?<=[/+_])(?=[A-Za-z])/).flatMap((part) => part.replace(/\S+/gu, cut).split("\n")).flatMap((part, k) => (k === 0 ? [part] : [make("wbr"), part]));
}

export function button(label: string, title: string, act: () => void, pressed?: boolean): HTMLButtonElement {
  const node = make("button", { type: "button", title, "aria-label": title }, label);
  if (pressed !== undefined) node.setAttribute("aria-pressed", String(pressed));
  node.addEventListener("click", act);
  return node;
}

export function setPressed(node: HTMLElement, pressed: boolean) { node.setAttribute("aria-pressed", String(pressed)); }

/** A number for people: few digits, powers of ten where they help. */
export function format(value: number | null | undefined, digits = 4): string {
  if (value == null || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return (mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa).replace("-", "−") + "e" + exponent.replace("+", "");
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export function download(name: string, content: Blob) {
  const url = URL.createObjectURL(content);
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A name as a part of the name of a file, which must not be too long. */
export const stem = (name: string) => name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 80).replace(/^_+|_+$/g, "") || "driftless";

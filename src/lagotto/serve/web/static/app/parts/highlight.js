// Text with some of its words marked, built from ranges: text stays text.
import { html } from "./html.js";

const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Ranges of whole words that are one of the forms, in order.
export function rangesOf(text, forms) {
  const words = [...new Set(forms)].filter(Boolean).sort((a, b) => b.length - a.length);
  if (!words.length) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map(escaped).join("|")})(?![\\p{L}\\p{N}])`, "giu");
  return Array.from(text.matchAll(pattern), (match) => [match.index, match.index + match[0].length]);
}

// Ranges of characters, as the server counts them, as ranges of JavaScript's units.
export function unitRanges(text, ranges) {
  const starts = [];
  let units = 0;
  for (const character of text) {
    starts.push(units);
    units += character.length;
  }
  starts.push(units);
  return ranges.map(([start, end]) => [starts[start] ?? units, starts[end] ?? units]);
}

export function Marked({ text, ranges }) {
  const pieces = [];
  let done = 0;
  for (const [start, end] of ranges) {
    if (start < done || end > text.length) continue;
    pieces.push(text.slice(done, start), html`<mark>${text.slice(start, end)}</mark>`);
    done = end;
  }
  return html`${pieces}${text.slice(done)}`;
}

const SHORT = 32;
const MENU = 3;

// Lines of a text; a run of short ones, such as a menu, becomes one line.
export function paragraphs(text) {
  const found = [];
  let run = [];
  const close = () => {
    if (run.length >= MENU) found.push({ text: run.join(" · "), menu: true });
    else found.push(...run.map((line) => ({ text: line, menu: false })));
    run = [];
  };
  for (const line of text
    .split(/\n+/)
    .map((one) => one.trim())
    .filter(Boolean)) {
    if (line.length <= SHORT && !/[.!?:]$/.test(line)) run.push(line);
    else {
      close();
      found.push({ text: line, menu: false });
    }
  }
  close();
  return found;
}

// A page's text as paragraphs, with some words marked.
export const Reading = ({ text, forms = [] }) =>
  html`<div class="reading">
    ${paragraphs(text).map(
      (line, place) => html`<p key=${place} dir="auto" class=${line.menu ? "menu" : ""}>
        <${Marked} text=${line.text} ranges=${rangesOf(line.text, forms)} />
      </p>`,
    )}
  </div>`;

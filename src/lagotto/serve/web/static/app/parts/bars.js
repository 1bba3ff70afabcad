// Named numbers as bars from a common zero, the strongest first.
import { html, useState } from "./html.js";
import { count, signed } from "./format.js";

const FEW = 10;

export function PartBars({ parts, label, empty = "This strategy gives no parts." }) {
  const [all, setAll] = useState(false);
  const strong = [...(parts || [])]
    .filter(({ value }) => value)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (!strong.length) return html`<p class="muted">${empty}</p>`;
  const most = Math.abs(strong[0].value);
  const shown = all ? strong : strong.slice(0, FEW);
  return html`<div class="bars" role="table" aria-label=${label}>
      ${shown.map(
        ({ name, value, help }) => html`<div class="bar" role="row" key=${name} title=${help || ""}>
          <span class="name" role="rowheader">${name}</span>
          <span class="axis" aria-hidden="true">
            <span class=${value < 0 ? "minus" : "plus"} style=${{ width: `${(50 * Math.abs(value)) / most}%` }}></span>
          </span>
          <span class="number" role="cell">${signed(value)}</span>
        </div>`,
      )}
    </div>
    ${
      strong.length > FEW &&
      html`<button class="quiet small" aria-expanded=${String(all)} onClick=${() => setAll(!all)}>
        ${all ? "Fewer parts" : `All ${strong.length} parts`}
      </button>`
    }`;
}

// Counts as bars, each of which may be opened.
export function CountBars({ rows, open, chosen }) {
  const most = Math.max(...rows.map((row) => row.count), 1);
  return html`<ul class="counts">
    ${rows.map(
      (row) => html`<li key=${row.name}>
        <button
          aria-expanded=${String(chosen === row.name)}
          onClick=${() => open(chosen === row.name ? "" : row.name)}
        >
          <span class="name">${row.label}</span>
          <span class="number">${count(row.count)}</span>
          <span class="track" aria-hidden="true">
            <span class="fill off" style=${{ width: `${(100 * row.count) / most}%` }}></span>
          </span>
        </button>
        ${chosen === row.name && row.children}
      </li>`,
    )}
  </ul>`;
}

// The course of a number in a table cell; the words beside it say the same.
export function Spark({ points, label }) {
  if (!points || points.length < 2) return html`<span class="muted">–</span>`;
  const [width, height] = [104, 26];
  const right = Math.max(...points.map(([x]) => x), 1);
  const top = Math.max(...points.map(([, y]) => y), right, 1);
  const place = ([x, y]) => `${((x / right) * width).toFixed(1)} ${(height - (y / top) * height).toFixed(1)}`;
  return html`<svg
    class="spark"
    viewBox="-2 -2 ${width + 4} ${height + 4}"
    width=${width + 4}
    height=${height + 4}
    role="img"
    aria-label=${label}
  >
    <path class="ideal" d=${`M0 ${height}L${width} ${(height - (right / top) * height).toFixed(1)}`} />
    <path d=${`M${points.map(place).join("L")}`} />
  </svg>`;
}

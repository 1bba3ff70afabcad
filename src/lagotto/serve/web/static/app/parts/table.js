// Rows that the server pages through. Columns: {id, name, cell(row), sort, wide, number}.
import { html } from "./html.js";
import { count, plural } from "./format.js";

export function Table({ label, columns, rows, rowKey, sort = "", onSort, selected, onSelect, rowClass = () => "" }) {
  const keys = rows.map(rowKey);
  const all = keys.length > 0 && selected && keys.every((key) => selected.has(key));
  const toggle = (which, on) => {
    const next = new Set(selected);
    which.forEach((key) => (on ? next.add(key) : next.delete(key)));
    onSelect(next);
  };
  return html`<div class="table-box" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${
            selected &&
            html`<th class="choose">
              <input
                type="checkbox"
                aria-label="Choose all rows shown"
                checked=${all}
                onChange=${(event) => toggle(keys, event.target.checked)}
              />
            </th>`
          }
          ${columns.map(
            (column) => html`<th
              key=${column.id}
              scope="col"
              class="${column.number ? "number" : ""} ${column.wide ? "wide" : ""}"
              aria-sort=${column.sort ? (sort === column.sort ? "descending" : "none") : undefined}
            >
              ${
                column.sort && onSort
                  ? html`<button class="sort" onClick=${() => onSort(column.sort)}>
                    ${column.name}
                    <span aria-hidden="true">${sort === column.sort ? " ↓" : ""}</span>
                  </button>`
                  : column.name
              }
            </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => {
          const key = rowKey(row);
          return html`<tr key=${key} class=${rowClass(row)} aria-selected=${selected ? String(selected.has(key)) : undefined}>
            ${
              selected &&
              html`<td class="choose">
                <input
                  type="checkbox"
                  aria-label=${`Choose ${key}`}
                  checked=${selected.has(key)}
                  onChange=${(event) => toggle([key], event.target.checked)}
                />
              </td>`
            }
            ${columns.map(
              (
                column,
              ) => html`<td key=${column.id} class="${column.number ? "number" : ""} ${column.wide ? "wide" : ""}">
                ${column.cell(row)}
              </td>`,
            )}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

export function Pager({ offset, limit, total, shown, go, what = "row" }) {
  if (!total && !offset) return "";
  const end = offset + shown;
  return html`<nav class="pager" aria-label="Pages of the table">
    <span>${shown ? `${count(offset + 1)}–${count(end)} of ${plural(total, what)}` : plural(total, what)}</span>
    <button disabled=${offset === 0} onClick=${() => go(0)}>First</button>
    <button disabled=${offset === 0} onClick=${() => go(Math.max(0, offset - limit))}>Back</button>
    <button disabled=${end >= total} onClick=${() => go(offset + limit)}>Next</button>
  </nav>`;
}

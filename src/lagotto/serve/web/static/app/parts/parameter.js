// One option of a crawl or of a strategy in a form, as the server declares it.
import { html } from "./html.js";

const numeric = (option) => /number/.test(option.kind || "") || typeof option.default === "number";

export function Parameter({ option, value, set }) {
  const help = [option.help || option.meaning, option.zero && `0: ${option.zero}.`].filter(Boolean).join(" ");
  const name = option.name[0].toUpperCase() + option.name.slice(1).replaceAll("_", " ");
  if (typeof option.default === "boolean") {
    return html`<label class="check">
      <input
        type="checkbox"
        checked=${value ?? option.default}
        onChange=${(event) => set(event.target.checked === option.default ? undefined : event.target.checked)}
      /> ${name} <small>${help}</small>
    </label>`;
  }
  if (option.choices?.length) {
    return html`<label class="field">
      ${name} <small>${help}</small>
      <select
        value=${value ?? option.default}
        onChange=${(event) => set(event.target.value === String(option.default) ? undefined : event.target.value)}
      >
        ${option.choices.map((choice) => html`<option key=${choice} value=${choice}>${choice}</option>`)}
      </select>
    </label>`;
  }
  const fallback =
    option.default === null || option.default === undefined || option.default === "" ? "" : String(option.default);
  return html`<label class="field">
    ${name} <small>${help}</small>
    <input
      type=${numeric(option) ? "number" : "text"}
      step=${option.kind === "whole number" ? 1 : "any"}
      min=${option.least ?? undefined}
      max=${option.most ?? undefined}
      placeholder=${fallback && `${fallback} by default`}
      value=${value ?? ""}
      onInput=${(event) => set(event.target.value === "" ? undefined : numeric(option) ? Number(event.target.value) : event.target.value)}
    />
  </label>`;
}

// The overlay that lists the keys of the screen one is on.
import { html } from "./html.js";
import { Dialog } from "./dialog.js";
import { boundKeys } from "./keys.js";
import { useStored } from "./stored.js";

const Keys = ({ sequence }) => sequence.split(" ").map((key) => html`<kbd>${key}</kbd> `);

export function Help({ close }) {
  const [on, setOn] = useStored("shortcuts", true);
  return html`<${Dialog} title="Keyboard shortcuts" close=${close}>
    <div class="shortcuts">
      ${boundKeys().map(
        ({ title, keys }) => html`<section key=${title}>
          <h3>${title}</h3>
          <dl>
            ${keys.map(([key, what]) => html`<div key=${key}><dt><${Keys} sequence=${key} /></dt><dd>${what}</dd></div>`)}
          </dl>
        </section>`,
      )}
    </div>
    <label class="check">
      <input type="checkbox" checked=${on} onChange=${(event) => setOn(event.target.checked)} /> Single keys are
      shortcuts
    </label>
    <p class="muted">Everything can also be reached with <kbd>Tab</kbd>, the arrow keys and <kbd>Enter</kbd>.</p>
  </${Dialog}>`;
}

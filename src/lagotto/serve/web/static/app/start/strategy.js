// How a new crawl chooses links: the strategies, and the parameters of the chosen one.
import { html } from "../parts/html.js";
import { useFetched } from "../parts/fetched.js";
import { Parameter } from "../parts/parameter.js";
import { Answer } from "../parts/pieces.js";

export function Strategy({ draft, change }) {
  const strategies = useFetched("/strategies");
  const saved = useFetched("/topics");
  return html`<section class="panel">
    <h2><span class="step">3</span> Strategy</h2>
    <${Answer} of=${strategies}>
      ${(rows) => {
        const chosen = rows.find(({ name }) => name === draft.strategy);
        const trained = (saved.value || []).filter(({ kind }) => kind === "network");
        return html`<div class="columns two">
          <fieldset class="choices">
            <legend class="unseen">Strategy</legend>
            ${rows.map(
              (row) => html`<label key=${row.name}>
              <input
                type="radio"
                name="strategy"
                value=${row.name}
                checked=${row.name === draft.strategy}
                onChange=${() => change({ strategy: row.name, strategyOptions: {} })}
              /> <b>${row.name}</b> ${row.name === "scent" && html`<span class="tag">default</span>`} <span
                class="muted"
              >
                ${row.summary}
              </span>
            </label>`,
            )}
          </fieldset>
          <div class="stack">
            ${
              draft.strategy === "neural" &&
              html`<label class="field">
              Network <small>trained under “A network”</small>
              <select value=${draft.network} onChange=${(event) => change({ network: event.target.value })}>
                <option value="">none: train on the first pages</option>
                ${trained.map((one) => html`<option key=${one.name} value=${one.name}>${one.name}</option>`)}
              </select>
            </label>`
            }
            ${
              chosen?.options.length
                ? html`<${Parameters}
                options=${chosen.options}
                values=${draft.strategyOptions}
                change=${(strategyOptions) => change({ strategyOptions })}
              />`
                : html`<p class="muted">This strategy has no parameters.</p>`
            }
          </div>
        </div>`;
      }}
    </${Answer}>
  </section>`;
}

export function Parameters({ options, values, change }) {
  const set = (name, value) => {
    const next = { ...values, [name]: value };
    if (value === "" || value === undefined) delete next[name];
    change(next);
  };
  return html`<details open>
    <summary>Parameters <span class="count">${Object.keys(values).length || options.length}</span></summary>
    <div class="fields">
      ${options.map(
        (option) => html`<${Parameter}
          key=${option.name}
          option=${option}
          value=${values[option.name]}
          set=${(value) => set(option.name, value)}
        />`,
      )}
    </div>
  </details>`;
}

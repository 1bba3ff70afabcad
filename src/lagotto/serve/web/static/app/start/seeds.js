// Where a new crawl begins: URLs by hand, or from search engines with who agreed on each.
import { html, useState } from "../parts/html.js";
import { post } from "../parts/api.js";
import { plural } from "../parts/format.js";
import { useJob } from "../parts/job.js";
import { Problem, Url } from "../parts/pieces.js";

export const urlsIn = (text) => text.split(/\s+/).filter((word) => /^https?:\/\/./i.test(word));

export function Seeds({ draft, change }) {
  const urls = urlsIn(draft.seeds);
  const others = draft.seeds.split(/\s+/).filter((word) => word && !urls.includes(word));
  return html`<section class="panel">
    <h2><span class="step">2</span> Seeds <span class="count">${urls.length}</span></h2>
    <div class="columns two">
      <div>
        <label class="field">
          URLs to start from <small>one a line</small>
          <textarea
            rows="5"
            spellcheck=${false}
            placeholder="https://example.org/energy/"
            value=${draft.seeds}
            onInput=${(event) => change({ seeds: event.target.value })}
          ></textarea>
        </label>
        ${
          others.length > 0 &&
          html`<p class="trouble">
            ${others.length === 1 ? html`“<bdi>${others[0]}</bdi>” is no web address` : `${others.length} entries are no web addresses`}
            ; begin each with http:// or https://.
          </p>`
        }
      </div>
      <${Engines} draft=${draft} change=${change} />
    </div>
  </section>`;
}

function Engines({ draft, change }) {
  const [query, setQuery] = useState(null);
  const [engines, setEngines] = useState("");
  const [job, begin] = useJob();
  const asked = query ?? draft.words;
  const chosen = new Set(urlsIn(draft.seeds));
  const rows = job.result?.seeds || [];
  const failed = job.result?.failed || [];
  const search = () =>
    begin(() =>
      post("/seeds", {
        query: asked,
        ...(engines.trim() ? { engines: engines.split(/[\s,]+/).filter(Boolean) } : {}),
      }),
    );
  const toggle = (url, on) => {
    const kept = draft.seeds.split(/\s+/).filter((word) => word && word !== url);
    change({ seeds: [...kept, ...(on ? [url] : [])].join("\n") });
  };
  return html`<div class="stack">
    <h3>From search engines</h3>
    <div class="ask">
      <label class="unseen" for="seed-query">Query</label>
      <input id="seed-query" placeholder="Query" value=${asked} onInput=${(event) => setQuery(event.target.value)} />
      <button type="button" disabled=${!asked.trim() || job.state === "running"} onClick=${search}>
        ${job.state === "running" ? "Asking …" : "Ask engines"}
      </button>
    </div>
    <label class="field inline">
      Engines <small>names, or the address of a SearXNG; empty: the default ones</small>
      <input value=${engines} onInput=${(event) => setEngines(event.target.value)} />
    </label>
    ${job.error && html`<${Problem} error=${job.error} />`}
    ${
      rows.length > 0 &&
      html`<p>
          ${plural(rows.length, "page")}
          , those that most engines agree on first. <button
            type="button"
            class="small"
            onClick=${() => change({ seeds: [...new Set([...urlsIn(draft.seeds), ...rows.slice(0, 10).map(({ url }) => url)])].join("\n") })}
          >
            Take the first ten
          </button>
        </p>
        <ul class="seeds">
          ${rows.map(
            (row) => html`<li key=${row.url}>
              <label>
                <input
                  type="checkbox"
                  checked=${chosen.has(row.url)}
                  onChange=${(event) => toggle(row.url, event.target.checked)}
                />
                <span>
                  <bdi>${row.title}</bdi> <${Url} url=${row.url} />
                  <span class="muted">
                    ${row.placings.map(({ engine, rank }) => `${engine} at ${rank}`).join(", ")}
                  </span>
                </span>
              </label>
            </li>`,
          )}
        </ul>`
    }
    ${failed.map(({ engine, why }) => html`<p class="muted" key=${engine}>${engine}: ${why}</p>`)}
    ${job.state === "done" && !rows.length && html`<p class="muted">No engine found a page. Try other words.</p>`}
  </div>`;
}

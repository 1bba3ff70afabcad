// Exclusions: regular expressions, with a preview of the links that would be set aside.
import { html, useEffect, useState } from "../parts/html.js";
import { of, post } from "../parts/api.js";
import { useFetched, useSettled } from "../parts/fetched.js";
import { count, fixed, plural } from "../parts/format.js";
import { outcome } from "../parts/controls.js";
import { Answer, Problem, Url } from "../parts/pieces.js";
import { attempt } from "../parts/toasts.js";

const lines = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export function Exclusions({ crawl, given }) {
  const details = useFetched(of(crawl));
  const [exclude, setExclude] = useState(given);
  const [include, setInclude] = useState("");
  const wanted = useSettled(JSON.stringify({ exclude: lines(exclude), include: lines(include) }), 400);
  const [preview, setPreview] = useState({});
  useEffect(() => {
    const patterns = JSON.parse(wanted);
    let asked = true;
    if (!patterns.exclude.length && !patterns.include.length) setPreview({});
    else
      post(of(crawl, "preview"), patterns).then(
        (value) => asked && setPreview({ value }),
        (error) => asked && setPreview({ error }),
      );
    return () => {
      asked = false;
    };
  }, [wanted, crawl]);
  const apply = async (event) => {
    event.preventDefault();
    const steer = Object.fromEntries(
      Object.entries({ exclude: lines(exclude), include: lines(include) }).filter(([, patterns]) => patterns.length),
    );
    if (await attempt(() => post(of(crawl, "commands"), { steer }), outcome)) {
      setExclude("");
      setInclude("");
      details.reload();
    }
  };
  const takeAway = async (what, pattern) => {
    if (await attempt(() => post(of(crawl, "commands"), { steer: { [what]: [pattern] } }), outcome)) details.reload();
  };
  return html`<div class="columns two">
    <form class="panel" onSubmit=${apply}>
      <h2>Set links aside</h2>
      <label class="field">
        Leave out URLs that match <small>regular expressions, one a line</small>
        <textarea
          rows="3"
          spellcheck=${false}
          placeholder="/calendar/"
          value=${exclude}
          onInput=${(event) => setExclude(event.target.value)}
        ></textarea>
      </label>
      <label class="field">
        Take only URLs that match <small>regular expressions, one a line</small>
        <textarea rows="2" spellcheck=${false} value=${include} onInput=${(event) => setInclude(event.target.value)}></textarea>
      </label>
      <div class="actions"><button class="primary" disabled=${!preview.value}>Apply</button></div>
      <${Answer} of=${details}>
        ${(now) => html`<h3>In effect</h3>
          ${
            now.exclude.length || now.include.length
              ? html`<ul class="chips">
                ${now.exclude.map(
                  (pattern) => html`<li key=${`- ${pattern}`}>
                  <span class="muted">without</span> <code>${pattern}</code> <button
                    type="button"
                    class="quiet small"
                    aria-label=${`Take away ${pattern}`}
                    onClick=${() => takeAway("unexclude", pattern)}
                  >
                    ×
                  </button>
                </li>`,
                )}
                ${now.include.map(
                  (pattern) => html`<li key=${`+ ${pattern}`}>
                  <span class="muted">only</span> <code>${pattern}</code> <button
                    type="button"
                    class="quiet small"
                    aria-label=${`Take away ${pattern}`}
                    onClick=${() => takeAway("uninclude", pattern)}
                  >
                    ×
                  </button>
                </li>`,
                )}
              </ul>`
              : html`<p class="muted">No pattern.</p>`
          }
          ${now.figures.aside > 0 && html`<p>${plural(now.figures.aside, "link")} set aside so far. They come back if their pattern is taken away.</p>`}`}
      </${Answer}>
    </form>
    <section class="panel" aria-live="polite">
      <h2>What would go</h2>
      ${preview.error && html`<${Problem} error=${preview.error} />`}
      ${
        preview.value
          ? html`<p>
              <b class="big">${count(preview.value.count)}</b> queued ${preview.value.count === 1 ? "link" : "links"} would
              be set aside. Nothing is changed yet.
            </p>
            <ul class="feed">
              ${(preview.value.examples || []).map((link) => html`<li key=${link.url}><${Url} url=${link.url} /><span class="number">${fixed(link.score)}</span></li>`)}
            </ul>`
          : !preview.error &&
            html`<p class="muted">Write a pattern to see how many queued links it would set aside, with examples.</p>`
      }
    </section>
  </div>`;
}

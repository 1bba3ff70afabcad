// The topic of a new crawl, with a preview of what it is taken to mean.
import { html, useEffect, useState } from "../parts/html.js";
import { post } from "../parts/api.js";
import { useSettled } from "../parts/fetched.js";
import { bytes, fixed, plural, quoted } from "../parts/format.js";
import { Problem } from "../parts/pieces.js";
import { Weights } from "../teach/topic.js";
import { attempt, say } from "../parts/toasts.js";
import { FilePicker } from "./files.js";
import { urlsIn } from "./seeds.js";

const ENDING = 4;

// Whether two words have one stem, about: the table shows stems, and the user typed words.
function alike(one, other) {
  const [short, long] = [one.toLowerCase(), other.toLowerCase()].sort((a, b) => a.length - b.length);
  return long.startsWith(short) && long.length - short.length <= ENDING;
}

// The words without a term; it may be written as a phrase or with a weight.
export function without(words, term) {
  const parts = words.match(/"[^"]*"(?:=\S+)?|\S+/g) || [];
  const bare = (part) => part.replace(/=[^"\s]*$/, "").replace(/^"|"$/g, "");
  return parts.filter((part) => !alike(bare(part), term)).join(" ");
}

export function Topic({ draft, change }) {
  const [pasted, setPasted] = useState("");
  const add = (files) => change({ examples: [...draft.examples, ...files] });
  const [fetching, setFetching] = useState(false);
  const addUrls = async () => {
    setFetching(true);
    const pages = await attempt(() => post("/examples", { urls: urlsIn(pasted) }));
    setFetching(false);
    if (!pages) return;
    pages.filter(({ problem }) => problem).forEach(({ url, problem }) => say(`${url}: ${problem}`, "bad"));
    add(pages.filter(({ problem }) => !problem).map(({ name, text }) => ({ name, text })));
    setPasted("");
  };
  return html`<section class="panel">
    <h2><span class="step">1</span> Topic</h2>
    <div class="columns two">
      <div class="stack">
        <label class="field">
          Words <small>phrases in quotes</small>
          <textarea
            rows="2"
            placeholder='solar power "heat pump"'
            value=${draft.words}
            onInput=${(event) => change({ words: event.target.value })}
          ></textarea>
        </label>
        <details>
          <summary>Example pages <span class="count">${draft.examples.length}</span></summary>
          <p class="muted">Pages that are on the topic say more than words. Paste URLs, or drop files.</p>
          <label class="field">
            URLs <small>one a line</small>
            <textarea rows="2" value=${pasted} onInput=${(event) => setPasted(event.target.value)}></textarea>
          </label>
          <button type="button" disabled=${!urlsIn(pasted).length || fetching} onClick=${addUrls}>
            ${fetching ? "Fetching …" : "Fetch these pages"}
          </button>
          <${FilePicker} label="Example files" take=${add} />
          <ul class="chips">
            ${draft.examples.map(
              (example, place) => html`<li key=${place}>
                <bdi>${example.name}</bdi> <span class="muted">${bytes(example.text.length)}</span>
                <button
                  type="button"
                  class="quiet small"
                  aria-label=${`Remove ${example.name}`}
                  onClick=${() => change({ examples: draft.examples.filter((_, other) => other !== place) })}
                >
                  ×
                </button>
              </li>`,
            )}
          </ul>
        </details>
        <details>
          <summary>
            Query log ${draft.queryLog && html`<span class="count"><bdi>${draft.queryLog.name}</bdi></span>`}
          </summary>
          <p class="muted">Queries that people typed, one a line: the topic is what they ask for.</p>
          <${FilePicker} label="Query log" single take=${([file]) => change({ queryLog: file })} />
          ${
            draft.queryLog &&
            html`<p>
              <bdi>${draft.queryLog.name}</bdi>
              , ${plural(draft.queryLog.text.split("\n").filter(Boolean).length, "query", "queries")} <button
                type="button"
                class="quiet small"
                onClick=${() => change({ queryLog: null })}
              >
                Remove
              </button>
            </p>`
          }
        </details>
      </div>
      <${Preview} draft=${draft} change=${change} />
    </div>
  </section>`;
}

function Preview({ draft, change }) {
  const asked = useSettled(
    JSON.stringify({
      words: draft.words.trim(),
      examples: draft.examples,
      query_log: draft.queryLog?.text || "",
    }),
    500,
  );
  const [preview, setPreview] = useState({});
  useEffect(() => {
    const body = JSON.parse(asked);
    let wanted = true;
    if (!body.words && !body.examples.length && !body.query_log) setPreview({});
    else
      post("/topics/preview", body).then(
        (value) => wanted && setPreview({ value }),
        (error) => wanted && setPreview((before) => ({ ...before, error })),
      );
    return () => {
      wanted = false;
    };
  }, [asked]);
  const insert = (word) => change({ words: `${draft.words.trim()} ${quoted(word)}`.trim() });
  // What was not typed comes from example pages or the query log; it is dropped as soon as the crawl runs.
  const drop = (term) => {
    const words = without(draft.words, term);
    if (words === draft.words.trim()) change({ dropped: [...draft.dropped, term] });
    else change({ words });
  };
  const back = (term) => change({ dropped: draft.dropped.filter((word) => word !== term) });
  const { value, error } = preview;
  if (error) return html`<div class="preview"><${Problem} error=${error} /></div>`;
  if (!value)
    return html`<div class="preview">
      <h3>What the topic is taken to mean</h3>
      <p class="muted">Type some words to see their weights, and words that are alike.</p>
    </div>`;
  return html`<div class="preview" aria-live="polite">
    <h3>What the topic is taken to mean</h3>
    <${Weights} words=${value.table.filter(({ word }) => !draft.dropped.includes(word))} drop=${drop} most=${12} />
    ${
      draft.dropped.length > 0 &&
      html`<p>
        Dropped: ${draft.dropped.map(
          (
            word,
          ) => html`<button type="button" class="chip" key=${word} aria-label=${`Take ${word} again`} onClick=${() => back(word)}>
          <s><bdi>${word}</bdi></s> ↩
        </button> `,
        )}
      </p>`
    }
    <${Suggested}
      title="Like words"
      hint="stems of similar words; scent counts them a little"
      words=${value.like}
      insert=${insert}
    />
    <${Suggested} title="Kin" hint="stems of words that fall under these" words=${value.kin} insert=${insert} />
  </div>`;
}

const FEW = 12;

function Suggested({ title, hint, words, insert }) {
  const [all, setAll] = useState(false);
  if (!words.length) return "";
  return html`<h3>${title} <small>${hint}</small></h3>
    <ul class="chips">
      ${words.slice(0, all ? words.length : FEW).map(
        ({ word, weight }) => html`<li key=${word}>
          <button type="button" class="chip" aria-label=${`Add ${word}`} onClick=${() => insert(word)}>
            + <bdi>${word}</bdi> <span class="muted">${fixed(weight)}</span>
          </button>
        </li>`,
      )}
      ${
        words.length > FEW &&
        html`<li class="bare">
          <button type="button" class="quiet small" onClick=${() => setAll(!all)}>
            ${all ? "fewer" : `${words.length - FEW} more`}
          </button>
        </li>`
      }
    </ul>`;
}

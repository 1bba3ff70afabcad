// The topic of a new crawl, with a preview of what it is taken to mean.
import { html, useEffect, useState } from "../parts/html.js";
import { post } from "../parts/api.js";
import { useSettled } from "../parts/fetched.js";
import { bytes, fixed, known, plural } from "../parts/format.js";
import { Problem } from "../parts/pieces.js";
import { Weights } from "../teach/topic.js";
import { FilePicker } from "./files.js";

const quoted = (term) => (/\s/.test(term) ? `"${term}"` : term);

// The words without a term; it may be written as a phrase or with a weight.
export function without(words, term) {
  const parts = words.match(/"[^"]*"(?:=\S+)?|\S+/g) || [];
  const bare = (part) => part.replace(/=[^"\s]*$/, "").replace(/^"|"$/g, "").toLowerCase();
  return parts.filter((part) => bare(part) !== term.toLowerCase()).join(" ");
}

export function Topic({ draft, change }) {
  const [pasted, setPasted] = useState("");
  const add = (files) => change({ examples: [...draft.examples, ...files] });
  const addUrls = () => {
    const urls = pasted.split(/\s+/).filter((url) => /^https?:\/\//i.test(url));
    add(urls.map((url) => ({ name: url, url })));
    setPasted("");
  };
  return html`<section class="panel"><h2><span class="step">1</span> Topic</h2>
    <div class="columns two">
      <div class="stack">
        <label class="field">Words <small>phrases in quotes</small><textarea rows="2" placeholder='solar power "heat pump"' value=${draft.words} onInput=${(event) => change({ words: event.target.value })}></textarea></label>
        <details><summary>Example pages <span class="count">${draft.examples.length}</span></summary>
          <p class="muted">Pages that are on the topic say more than words. Paste URLs, or drop files.</p>
          <label class="field">URLs <small>one a line</small><textarea rows="2" value=${pasted} onInput=${(event) => setPasted(event.target.value)}></textarea></label>
          <button type="button" disabled=${!pasted.trim()} onClick=${addUrls}>Add URLs</button>
          <${FilePicker} label="Example files" take=${add} />
          <ul class="chips">${draft.examples.map((example, place) => html`<li key=${place}><bdi>${example.name}</bdi> ${example.text && html`<span class="muted">${bytes(example.text.length)}</span>`}
            <button type="button" class="quiet small" aria-label=${`Remove ${example.name}`} onClick=${() => change({ examples: draft.examples.filter((_, other) => other !== place) })}>×</button></li>`)}</ul>
        </details>
        <details><summary>Query log ${draft.queryLog && html`<span class="count"><bdi>${draft.queryLog.name}</bdi></span>`}</summary>
          <p class="muted">Queries that people typed, one a line: the topic is what they ask for.</p>
          <${FilePicker} label="Query log" single take=${([file]) => change({ queryLog: file })} />
          ${draft.queryLog && html`<p><bdi>${draft.queryLog.name}</bdi>, ${plural(draft.queryLog.text.split("\n").filter(Boolean).length, "query", "queries")} <button type="button" class="quiet small" onClick=${() => change({ queryLog: null })}>Remove</button></p>`}
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
      examples: draft.examples.map(({ name, text, url }) => (url ? { url } : { name, text })),
      query_log: draft.queryLog?.text || "",
    }),
    500,
  );
  const [preview, setPreview] = useState({});
  useEffect(() => {
    const body = JSON.parse(asked);
    let wanted = true;
    if (!body.words && !body.examples.length && !body.query_log) setPreview({});
    else post("/topics/preview", body).then((value) => wanted && setPreview({ value }), (error) => wanted && setPreview((before) => ({ ...before, error })));
    return () => {
      wanted = false;
    };
  }, [asked]);
  const insert = (word) => change({ words: `${draft.words.trim()} ${quoted(word)}`.trim() });
  const drop = (term) => change({ words: without(draft.words, term) });
  const { value, error } = preview;
  if (error) return html`<div class="preview"><${Problem} error=${error} /></div>`;
  if (!value) return html`<div class="preview"><h3>What the topic is taken to mean</h3><p class="muted">Type some words to see their weights, and words that are alike.</p></div>`;
  return html`<div class="preview" aria-live="polite"><h3>What the topic is taken to mean</h3>
    ${value.sentence && html`<p>${value.sentence}</p>`}
    <${Weights} words=${value.words || []} drop=${drop} most=${12} />
    <${Suggested} title="Like words" hint="words that stand near these on the web" words=${value.like} insert=${insert} />
    <${Suggested} title="Kin" hint="from the thesaurus" words=${value.kin} insert=${insert} />
  </div>`;
}

function Suggested({ title, hint, words, insert }) {
  if (!words?.length) return "";
  return html`<h3>${title} <small class="muted">${hint}</small></h3><ul class="chips">${words.slice(0, 24).map((word) => html`<li key=${`${word.of} ${word.word}`}>
    <button type="button" class="chip" title=${word.of ? `like ${word.of}` : ""} onClick=${() => insert(word.word)}>+ <bdi>${word.word}</bdi>${known(word.score) && html` <span class="muted">${fixed(word.score)}</span>`}</button></li>`)}</ul>`;
}

// The topic of a crawl: its words and weights, what changes to them, and the way back.
import { html, useState } from "../parts/html.js";
import { of, patch, post } from "../parts/api.js";
import { useFetched } from "../parts/fetched.js";
import { fixed, known, moment, plural, signed } from "../parts/format.js";
import { Answer, Empty, Meter } from "../parts/pieces.js";
import { attempt } from "../parts/toasts.js";

export function TopicEditor({ crawl, taught }) {
  const topic = useFetched(of(crawl, "topic"));
  const [words, setWords] = useState("");
  const send = async (text) => {
    const result = await attempt(() => patch(of(crawl, "topic"), { words: text }), (done) => done?.sentence || `Changed: ${text}`);
    if (!result) return;
    setWords("");
    topic.reload();
    taught(result);
  };
  const submit = (event) => {
    event.preventDefault();
    if (words.trim()) send(words.trim());
  };
  return html`<section class="panel"><h2>Change the topic</h2>
      <form class="ask" onSubmit=${submit}>
        <label class="unseen" for="topic-words">Words to add, weigh or drop</label>
        <input id="topic-words" placeholder='solar=2 "heat pump" -nuclear' value=${words} onInput=${(event) => setWords(event.target.value)} />
        <button class="primary" disabled=${!words.trim()}>Change</button>
      </form>
      <p class="muted"><code>word=2</code> weighs a word, <code>"two words"</code> is a phrase, <code>-word</code> drops one.</p>
    </section>
    <${Answer} of=${topic}>${(now) => html`<section class="panel"><h2>Words and weights <span class="count">version ${now.version ?? "–"}</span></h2>
      ${now.words?.length ? html`<${Weights} words=${now.words} drop=${(term) => send(`-${/\s/.test(term) ? `"${term}"` : term}`)} />` : html`<${Empty} title="No words"><p>This strategy keeps no table of words.</p><//>`}
    </section>`}<//>`;
}

export function Weights({ words, drop, most = 60 }) {
  const [all, setAll] = useState(false);
  const top = Math.max(...words.map(({ weight }) => Math.abs(weight || 0)), 1e-9);
  const shown = all ? words : words.slice(0, most);
  return html`<div class="table-box"><table class="weights">
    <thead><tr><th scope="col">Word</th><th scope="col">Weight</th><th scope="col" class="wide">Where from</th>${drop && html`<th scope="col"><span class="unseen">Drop</span></th>`}</tr></thead>
    <tbody>${shown.map((word) => html`<tr key=${word.term}>
      <td><bdi>${word.term}</bdi></td>
      <td><${Meter} value=${(word.weight || 0) / top} digits=${2} /><span class="unseen">${fixed(word.weight)}</span> ${known(word.before) && word.before !== word.weight && html`<span class="muted">${signed(word.weight - word.before, 2)}</span>`}</td>
      <td class="wide muted">${word.source || word.kind || ""}</td>
      ${drop && html`<td><button class="small quiet" aria-label=${`Drop ${word.term}`} onClick=${() => drop(word.term)}>Drop</button></td>`}
    </tr>`)}</tbody>
  </table></div>
  ${words.length > most && html`<button class="quiet small" onClick=${() => setAll(!all)}>${all ? "Fewer words" : `All ${words.length} words`}</button>`}`;
}

const Changed = ({ title, words }) =>
  words?.length > 0 ? html`<p><span class="muted">${title}</span> ${words.slice(0, 12).map(([term, before, after]) => html`<span class="chip" key=${term}><bdi>${term}</bdi> ${known(before) && known(after) && signed(after - before, 2)}</span> `)}</p>` : "";

export function TopicHistory({ crawl, taught }) {
  const topic = useFetched(of(crawl, "topic"));
  const back = async (version) => {
    const result = await attempt(() => post(of(crawl, "topic/rollback"), { version }), (done) => done?.sentence || `The topic is as in version ${version} again.`);
    if (!result) return;
    topic.reload();
    taught(result);
  };
  return html`<${Answer} of=${topic}>${(now) =>
    now.versions?.length
      ? html`<ol class="history">${[...now.versions].reverse().map((version) => html`<li key=${version.version} class="panel">
          <h2>Version ${version.version} ${version.version === now.version ? html`<span class="count">counts now</span>` : ""}</h2>
          <p class="muted">${known(version.at) && moment(version.at)}${version.why && html`, ${version.why}`}${known(version.words) && `, ${plural(version.words, "word")}`}</p>
          <${Changed} title="Rose" words=${version.rose} /><${Changed} title="Fell" words=${version.fell} />
          ${version.version !== now.version && html`<button onClick=${() => back(version.version)}>Go back to version ${version.version}</button>`}
        </li>`)}</ol>`
      : html`<${Empty} title="One version so far"><p>Each time the topic changes, by you or by what the crawl learns, its new version is kept here.</p><//>`}<//>`;
}

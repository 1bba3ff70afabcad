// The topic of a crawl: its words and weights, what changed them, and the way back.
import { html, useState } from "../parts/html.js";
import { of, patch, post } from "../parts/api.js";
import { outcome } from "../parts/controls.js";
import { useFetched } from "../parts/fetched.js";
import { fixed, moment, plural, quoted, signed } from "../parts/format.js";
import { Answer, Empty } from "../parts/pieces.js";
import { attempt } from "../parts/toasts.js";

export function TopicEditor({ crawl, taught }) {
  const topic = useFetched(of(crawl, "topic"));
  const [words, setWords] = useState("");
  const send = async (text) => {
    if (!(await attempt(() => patch(of(crawl, "topic"), { words: text }), outcome))) return;
    setWords("");
    topic.reload();
    taught({ sentence: `The topic changed: ${text}` });
  };
  const submit = (event) => {
    event.preventDefault();
    if (words.trim()) send(words.trim());
  };
  return html`<${Answer} of=${topic}>
    ${(now) => html`<section class="panel">
        <h2>Change the topic</h2>
        ${
          now.editable
            ? html`<form class="ask" onSubmit=${submit}>
                <label class="unseen" for="topic-words">Words to add, weigh or drop</label>
                <input
                  id="topic-words"
                  placeholder='solar=2 "heat pump" -nuclear'
                  value=${words}
                  onInput=${(event) => setWords(event.target.value)}
                />
                <button class="primary" disabled=${!words.trim()}>Change</button>
              </form>
              <p class="muted">
                <code>word=2</code> weighs a word, <code>"two words"</code> is a phrase, <code>-word</code> drops one.
              </p>`
            : html`<p class="muted">This strategy takes no other words while it crawls.</p>`
        }
      </section>
      ${
        now.words.length > 0 &&
        html`<section class="panel">
          <h2>Your words</h2>
          <${Weights} words=${now.words} drop=${now.editable && ((word) => send(`-${quoted(word)}`))} />
        </section>`
      }
      ${
        now.table.length > 0 &&
        html`<section class="panel">
          <h2>
            What the crawl goes by <span class="count">${plural(now.table.length, "word")}, from ${now.source}</span>
          </h2>
          <${Weights} words=${now.table} most=${20} />
        </section>`
      }`}
  </${Answer}>`;
}

export function Weights({ words, drop, most = 60 }) {
  const [all, setAll] = useState(false);
  const top = Math.max(...words.map(({ weight }) => Math.abs(weight)), 1e-9);
  const shown = all ? words : words.slice(0, most);
  return html`<div class="table-box">
      <table class="weights">
        <thead>
          <tr>
            <th scope="col">Word</th>
            <th scope="col">Weight</th>
            ${drop && html`<th scope="col"><span class="unseen">Drop</span></th>`}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            ({ word, weight }) => html`<tr key=${word}>
              <td><bdi>${word}</bdi></td>
              <td>
                <span class="meter">
                  <span class="track" aria-hidden="true">
                    <span class="fill" style=${{ width: `${(100 * Math.abs(weight)) / top}%` }}></span>
                  </span>
                  ${fixed(weight)}
                </span>
              </td>
              ${
                drop &&
                html`<td class="number">
            <button type="button" class="small quiet" aria-label=${`Drop ${word}`} onClick=${() => drop(word)}>
              Drop
            </button>
          </td>`
              }
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      words.length > most &&
      html`<button type="button" class="quiet small" onClick=${() => setAll(!all)}>
        ${all ? "Fewer words" : `All ${words.length} words`}
      </button>`
    }`;
}

export function TopicHistory({ crawl, taught }) {
  const topic = useFetched(of(crawl, "topic"));
  const back = async (edit, words) => {
    if (!(await attempt(() => post(of(crawl, "topic/rollback"), { edit }), outcome))) return;
    topic.reload();
    taught({ sentence: words });
  };
  return html`<${Answer} of=${topic}>
    ${({ edits, versions }) => html`<section class="panel">
        <h2>Your changes</h2>
        ${
          edits.length
            ? html`<ol class="history">
              ${[...edits].reverse().map(
                (edit, place) => html`<li key=${edit.n}>
                <div>
                  <b><bdi>${edit.edit}</bdi></b>
                  <p class="muted">${edit.who ? `by ${edit.who}, ` : ""}${moment(edit.at)}</p>
                </div>
                ${
                  place > 0
                    ? html`<button onClick=${() => back(edit.n, `The topic is as after “${edit.edit}” again.`)}>
                      Go back to here
                    </button>`
                    : html`<span class="count">counts now</span>`
                }
              </li>`,
              )}
              <li>
                <div><b>As the crawl began</b></div>
                <button onClick=${() => back(0, "The topic is as it was at the start again.")}>
                  Go back to here
                </button>
              </li>
            </ol>`
            : html`<p class="muted">
              You have not changed the topic. Each change that you make is kept here, with a way back.
            </p>`
        }
      </section>
      <section class="panel">
        <h2>What the crawl learned</h2>
        ${
          versions.length
            ? html`<ol class="history">
              ${[...versions].reverse().map(
                (version) => html`<li key=${version.version}>
                <div>
                  <b>Version ${version.version}</b> <span class="muted">after ${plural(version.pages, "page")}</span>
                  <p>
                    ${
                      version.changes.length
                        ? version.changes.map(
                            (each) => html`<span class="chip" key=${each.word}>
                              ${each.now > each.before ? "▲" : "▼"} <bdi>${each.word}</bdi> ${signed(each.now - each.before, 2)}
                            </span> `,
                          )
                        : html`<span class="muted">no word changed</span>`
                    }
                  </p>
                </div>
              </li>`,
              )}
            </ol>`
            : html`<${Empty} title="One version so far">
              <p>A strategy that learns words keeps a version of its table each time it changes.</p>
            </${Empty}>`
        }
      </section>`}
  </${Answer}>`;
}

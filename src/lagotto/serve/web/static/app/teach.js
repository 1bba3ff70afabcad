// Teach: answer about single pages, see what changes, edit the topic, go back to an earlier one.
import { html, useCallback, useEffect, useMemo, useRef, useState } from "./parts/html.js";
import { of } from "./parts/api.js";
import { useFetched } from "./parts/fetched.js";
import { count, fixed, known, plural } from "./parts/format.js";
import { Reading } from "./parts/highlight.js";
import { useKeys } from "./parts/keys.js";
import { mark } from "./parts/marking.js";
import { Answer, Empty, Meter, PageLink, Tabs, Url, Verdict } from "./parts/pieces.js";
import { go, to } from "./parts/route.js";
import { attempt } from "./parts/toasts.js";
import { TopicEditor, TopicHistory } from "./teach/topic.js";

const ASKED = 20;
const NEXT = 12;
const TABS = [
  ["questions", "Questions"],
  ["hosts", "Whole hosts"],
  ["topic", "Topic"],
  ["history", "History"],
];

export function Teach({ crawl, query }) {
  const tab = query.tab || "questions";
  const [effect, setEffect] = useState(null);
  const links = useFetched(of(crawl, "links", { n: NEXT }));
  const before = useRef(null);
  const moves = useMemo(() => ranks(before.current, links.value), [links.value]);
  const taught = useCallback(
    (result) => {
      setEffect(result);
      before.current = links.value?.map(({ url }) => url) || null;
      links.reload();
    },
    [links.value],
  );
  return html`<header class="screen">
      <div>
        <h1>Teach</h1>
        <p class="lead">
          Your answers count more than any model. They change verdicts on other pages and the order of the queue.
        </p>
      </div>
    </header>
    <${Tabs}
      label="Ways to teach"
      chosen=${tab}
      choose=${(next) => go("teach", crawl, { tab: next })}
      tabs=${TABS}
    />
    <div class="columns wide-left">
      <div class="stack">
        ${tab === "questions" && html`<${Questions} crawl=${crawl} taught=${taught} />`}
        ${tab === "hosts" && html`<${WholeHosts} crawl=${crawl} taught=${taught} />`}
        ${tab === "topic" && html`<${TopicEditor} crawl=${crawl} taught=${taught} />`}
        ${tab === "history" && html`<${TopicHistory} crawl=${crawl} taught=${taught} />`}
      </div>
      <aside class="stack" aria-label="What your answers do">
        <${Effect} crawl=${crawl} effect=${effect} />
        <section class="panel list">
          <h2>Next in the queue</h2>
          <${Answer} of=${links}>
            ${(rows) => html`<ol class="feed">
                ${rows.map(
                  (link, place) => html`<li key=${link.url}>
                    <span class="rank">${place + 1}<${Move} by=${moves.get(link.url)} /></span>
                    <a class="page" href=${to("why", crawl, { url: link.url })}>
                      <span class="title"><bdi>${link.anchor || "–"}</bdi></span>
                      <${Url} url=${link.url} />
                    </a>
                    <span class="number">${fixed(link.score)}</span>
                  </li>`,
                )}
              </ol>
              ${!rows.length && html`<p class="muted">The queue is empty.</p>`}`}
          </${Answer}>
        </section>
      </aside>
    </div>`;
}

// URL -> places risen since the last order; undefined for links that were not in it.
function ranks(before, rows) {
  if (!before || !rows) return new Map();
  const places = new Map(before.map((url, place) => [url, place]));
  return new Map(rows.map(({ url }, place) => [url, places.has(url) ? places.get(url) - place : "new"]));
}

function Move({ by }) {
  if (!by) return "";
  if (by === "new") return html` <span class="move up" title="new among the next">new</span>`;
  return html` <span class="move ${by > 0 ? "up" : "down"}">
    ${by > 0 ? "▲" : "▼"}${Math.abs(by)}
    <span class="unseen"> places ${by > 0 ? "up" : "down"}</span>
  </span>`;
}

function Questions({ crawl, taught }) {
  const questions = useFetched(of(crawl, "questions", { n: ASKED }));
  const [place, setPlace] = useState(0);
  const [answers, setAnswers] = useState([]);
  const rows = questions.value || [];
  const question = rows[place];
  const asked = question?.page;
  const whole = useFetched(asked ? of(crawl, `pages/${asked.number}`) : "");
  const read = whole.value?.row.number === asked?.number ? whole.value : null;
  const card = useRef(null);
  // Begin where the topic is spoken of, not with the page's menu.
  useEffect(() => {
    const first = card.current?.querySelector("p:not(.menu) mark");
    card.current?.scrollTo(0, first ? first.closest("p").offsetTop - card.current.offsetTop - 12 : 0);
  }, [place, read]);

  // The next question comes at once; what the answer changed is told when it is known.
  const say = (url, on) => attempt(() => mark(crawl, { urls: [url] }, on)).then((result) => result && taught(result));
  const answer = (on) => {
    if (!asked) return;
    setAnswers([...answers, { ...asked, on }]);
    setPlace(place + 1);
    if (on !== null) say(asked.url, on);
  };
  const undo = () => {
    const last = answers.at(-1);
    if (!last) return;
    if (last.on !== null) say(last.url, null);
    setAnswers(answers.slice(0, -1));
    setPlace(place - 1);
  };
  const more = () => {
    setPlace(0);
    questions.reload();
  };
  useKeys("Questions", [
    ["y", "On topic", () => answer(true)],
    ["n", "Off topic", () => answer(false)],
    ["s", "Skip", () => answer(null)],
    ["u", "Undo the last answer", undo],
  ]);

  return html`<${Answer} of=${questions}>
    ${() =>
      !rows.length
        ? html`<${Empty} title="Nothing to ask">
          <p>The crawl has no pages yet whose marks would teach it. Come back when some dozens are fetched.</p>
        </${Empty}>`
        : !asked
          ? html`<${Empty} title="All ${count(rows.length)} answered">
            <p>
              ${plural(answers.filter(({ on }) => on !== null).length, "page")} marked. The next questions are chosen
              by what the crawl has learned from these.
            </p>
            <p>
              <button class="primary" onClick=${more}>Ask more</button> <button
                onClick=${undo}
                disabled=${!answers.length}
              >
                Undo <kbd>u</kbd>
              </button>
            </p>
          </${Empty}>`
          : html`<section class="panel question" aria-label="Question">
            <p class="muted">${place + 1} of ${rows.length}</p>
            <h2><bdi>${asked.title || "No title"}</bdi></h2>
            <p><a class="page" href=${to("why", crawl, { url: asked.url })}><${Url} url=${asked.url} /></a></p>
            <p>Relevance by the model <${Meter} value=${asked.relevance} /></p>
            <div class="excerpt" ref=${card} tabindex="0" role="region" aria-label="Text of the page" dir="auto">
              <${Reading} text=${read?.text || question.opening} forms=${Object.keys(read?.matched || {})} />
            </div>
            <div class="answers" role="group" aria-label="Is this page on topic?">
              <button class="on" onClick=${() => answer(true)}>
                <span aria-hidden="true">●</span> On topic <kbd>y</kbd>
              </button>
              <button class="off" onClick=${() => answer(false)}>
                <span aria-hidden="true">○</span> Off topic <kbd>n</kbd>
              </button>
              <button onClick=${() => answer(null)}>Skip <kbd>s</kbd></button>
              <button class="quiet" disabled=${!answers.length} onClick=${undo}>Undo <kbd>u</kbd></button>
            </div>
          </section>`}
  </${Answer}>`;
}

function WholeHosts({ crawl, taught }) {
  const [sort, setSort] = useState("pages");
  const hosts = useFetched(of(crawl, "hosts", { sort, limit: 30 }));
  const say = async (host, on) => {
    const words = on === null ? "are marked no more" : `are marked as ${on ? "on" : "off"} topic`;
    const result = await attempt(
      () => mark(crawl, { host }, on),
      ({ marked }) => `${plural(marked, "page")} of ${host} ${words}.`,
    );
    if (result) {
      taught(result);
      hosts.reload();
    }
  };
  return html`<section class="panel">
    <h2>Mark all pages of a host</h2>
    <p class="muted">Use it for hosts whose pages are all alike: a shop, a forum, a journal.</p>
    <label class="field inline">
      Order <select value=${sort} onChange=${(event) => setSort(event.target.value)}>
        <option value="pages">most pages</option>
        <option value="relevant">most on topic</option>
      </select>
    </label>
    <${Answer} of=${hosts}>
      ${({ rows }) =>
        html`<ul class="hosts">
          ${rows
            .filter(({ pages }) => pages > 0)
            .map(
              (row) => html`<li key=${row.host}>
              <span class="name">
                <bdi>${row.host}</bdi>
                <span class="muted">${count(row.relevant)} of ${plural(row.pages, "page")} on topic</span>
              </span>
              <span class="row-actions">
                <button
                  class="small"
                  aria-label=${`All pages of ${row.host} on topic`}
                  onClick=${() => say(row.host, true)}
                >
                  ● On
                </button>
                <button
                  class="small"
                  aria-label=${`All pages of ${row.host} off topic`}
                  onClick=${() => say(row.host, false)}
                >
                  ○ Off
                </button>
                <button
                  class="small quiet"
                  aria-label=${`Take back marks on ${row.host}`}
                  onClick=${() => say(row.host, null)}
                >
                  Take back
                </button>
              </span>
            </li>`,
            )}
        </ul>`}
    </${Answer}>
  </section>`;
}

function Effect({ crawl, effect }) {
  if (!effect)
    return html`<section class="panel">
      <h2>What changed</h2>
      <p class="muted">
        Your first answer shows here what it changes: verdicts on other pages, and the order of the queue.
      </p>
    </section>`;
  const flipped = Object.entries(effect.flipped || {});
  return html`<section class="panel" aria-live="polite">
    <h2>What changed</h2>
    ${effect.sentence && html`<p>${effect.sentence}</p>`}
    ${
      known(effect.relevant_now) &&
      html`<p class="change">
        <b>${count(effect.relevant_before)}</b> on topic before, <b>${count(effect.relevant_now)}</b> now
      </p>`
    }
    ${
      flipped.length > 0
        ? html`<p>
            ${plural(flipped.length, "other page")} changed ${flipped.length === 1 ? "its verdict" : "their verdicts"}
            :
          </p>
          <ul class="feed">
            ${flipped.slice(0, 12).map(([url, relevant]) => html`<li key=${url}><${Verdict} relevant=${relevant} /><${PageLink} crawl=${crawl} url=${url} /></li>`)}
          </ul>`
        : html`<p class="muted">
          ${effect.running ? "The crawl runs: it learns from your marks now, and judges its pages again by itself." : "No other page has changed its verdict."}
        </p>`
    }
  </section>`;
}

// Why: how a URL was found, scored and judged, with the topic's words marked in its text.
import { html, useMemo, useState } from "./parts/html.js";
import { of } from "./parts/api.js";
import { PartBars } from "./parts/bars.js";
import { useFetched } from "./parts/fetched.js";
import { bytes, count, fixed, known, moment, plural, signed } from "./parts/format.js";
import { Reading } from "./parts/highlight.js";
import { useKeys } from "./parts/keys.js";
import { mark } from "./parts/marking.js";
import { Answer, Empty, Meter, Outside, PageLink, Url, Verdict } from "./parts/pieces.js";
import { go } from "./parts/route.js";
import { attempt } from "./parts/toasts.js";

export function Why({ crawl, query }) {
  return html`<header class="screen">
      <div>
        <h1>Why</h1>
        <p class="lead">Any page or link of <b><bdi>${crawl}</bdi></b>: how it was found, scored and judged.</p>
      </div>
    </header>
    <${Ask} key=${`ask ${query.url}`} crawl=${crawl} asked=${query.url || ""} />
    ${query.url ? html`<${Explanation} key=${query.url} crawl=${crawl} url=${query.url} />` : html`<${Recent} crawl=${crawl} />`}`;
}

// The field starts with what was asked before. An effect that fills it later could wipe out what was typed meanwhile.
function Ask({ crawl, asked }) {
  const [url, setUrl] = useState(asked);
  const ask = (event) => {
    event.preventDefault();
    if (url.trim()) go("why", crawl, { url: url.trim() });
  };
  return html`<form class="ask" role="search" onSubmit=${ask}>
    <label class="unseen" for="why-url">URL</label>
    <input
      id="why-url"
      type="search"
      inputmode="url"
      placeholder="https://…"
      spellcheck=${false}
      value=${url}
      onInput=${(event) => setUrl(event.target.value)}
    />
    <button class="primary">Explain</button>
  </form>`;
}

function Recent({ crawl }) {
  const pages = useFetched(of(crawl, "pages", { sort: "relevance", limit: 12 }));
  return html`<${Answer} of=${pages}>
    ${({ rows }) =>
      rows.length
        ? html`<section class="panel list">
          <h2>Or choose one of the most relevant pages</h2>
          <ol class="feed">
            ${rows.map(
              (page) => html`<li key=${page.number}>
              <${Verdict} relevant=${page.relevant} />
              <${PageLink} crawl=${crawl} url=${page.url} title=${page.title} />
              <${Meter} value=${page.relevance} />
            </li>`,
            )}
          </ol>
        </section>`
        : html`<${Empty} title="Nothing to explain yet">
          <p>Once the crawl has pages, each of them can say why it is here.</p>
        </${Empty}>`}
  </${Answer}>`;
}

function Explanation({ crawl, url }) {
  const found = useFetched(of(crawl, "explain", { url }));
  const page = found.value?.story?.page;
  const whole = useFetched(page && !page.reason ? of(crawl, `pages/${page.number}`) : "");
  const say = async (on) => {
    const words = on === null ? "The mark is taken back." : `Marked as ${on ? "on" : "off"} topic.`;
    if (await attempt(() => mark(crawl, { urls: [url] }, on), words)) found.reload();
  };
  const markable = known(page?.relevance);
  useKeys(
    "This page",
    markable
      ? [
          ["y", "Mark as on topic", () => say(true)],
          ["n", "Mark as off topic", () => say(false)],
          ["u", "Take the mark back", () => say(null)],
        ]
      : [],
  );
  return html`<${Answer} of=${found}>
    ${(answer) => {
      const { story } = answer;
      if (!story) return html`<${Empty} title="Not in this crawl"><p>${answer.unknown}</p></${Empty}>`;
      const link = story.path.at(-1);
      return html`<${Summary} answer=${answer} story=${story} say=${markable && say} />
        <div class="columns two">
          <section class="panel"><h2>Path from the seed</h2><${Path} crawl=${crawl} path=${story.path} /></section>
          <div class="stack">
            <section class="panel">
              <h2>Link score <span class="count">${story.path.length < 2 ? "seed" : fixed(link.score)}</span></h2>
              <p class="muted">What made the crawler expect this page to be on topic, before it was fetched.</p>
              <${PartBars}
                parts=${named(answer.link_parts, link.parts)}
                label="Parts of the link score"
                empty=${story.path.length < 2 ? "A seed has no link score: it is fetched first." : undefined}
              />
            </section>
            ${
              markable &&
              html`<section class="panel">
              <h2>Judgement <span class="count">${fixed(page.relevance)}</span></h2>
              <p class="muted">What the page's text, its links and pages like it say.</p>
              <${PartBars}
                parts=${Object.entries(page.judged).map(([name, value]) => ({ name, value }))}
                label="Parts of the judgement"
                empty="No parts are kept for this page."
              />
            </section>`
            }
            <${Facts} story=${story} page=${page} stated=${answer.stated} />
          </div>
        </div>
        ${whole.value?.text && html`<${Text} whole=${whole.value} />`}`;
    }}
  </${Answer}>`;
}

const named = (names, values) => values.map((value, place) => ({ name: names[place] || `part ${place + 1}`, value }));

function Summary({ answer, story, say }) {
  const { page } = story;
  const relevance = page?.relevance;
  const first = page?.relevance_at_fetch;
  return html`<section class="panel summary">
    <div>
      <h2><bdi>${page?.title || story.path.at(-1)?.anchor || story.url}</bdi></h2>
      <p><${Url} url=${story.url} /></p>
    </div>
    <dl class="figures compact">
      <div class="figure">
        <dt>Verdict</dt>
        <dd>
          ${known(page?.relevant) ? html`<${Verdict} relevant=${page.relevant} words />` : page?.reason || story.state}
        </dd>
        ${answer.mark && html`<dd class="note">marked by ${answer.mark.who || "a user"}, ${moment(answer.mark.at)}</dd>`}
      </div>
      ${
        say &&
        html`<div class="figure">
            <dt>Relevance now</dt>
            <dd>${fixed(relevance)}</dd>
            <dd class="note">
              ${page.model ? `by judgement ${page.model}` : "as judged at the fetch"}
              , ${answer.topic_version ? `topic version ${answer.topic_version}` : "your words"}
            </dd>
          </div>
          <div class="figure">
            <dt>At the fetch</dt>
            <dd>${fixed(first)}</dd>
            <dd class="note">
              ${known(first) && known(relevance) && first !== relevance ? `${signed(relevance - first, 2)} since` : "unchanged"}
            </dd>
          </div>`
      }
      ${
        story.waiting_for &&
        html`<div class="figure">
          <dt>Waits</dt>
          <dd>${moment(story.retry_at)}</dd>
          <dd class="note">${story.waiting_for}</dd>
        </div>`
      }
    </dl>
    ${answer.steering.map((line) => html`<p class="notice" key=${line}>${line}</p>`)}
    <div class="actions">
      ${
        say &&
        html`<button onClick=${() => say(true)}>On topic <kbd>y</kbd></button>
          <button onClick=${() => say(false)}>Off topic <kbd>n</kbd></button>
          ${answer.mark && html`<button onClick=${() => say(null)}>Take the mark back <kbd>u</kbd></button>`}`
      }
      <${Outside} url=${story.url} />
    </div>
  </section>`;
}

function Path({ crawl, path }) {
  return html`<ol class="path">
    ${path.map(
      (
        step,
        place,
      ) => html`<li key=${place} class=${step.relevant === true ? "on" : step.relevant === false ? "off" : ""}>
        <p class="how">
          ${
            place === 0
              ? "Seed"
              : html`Link ${step.anchor ? html`“<bdi>${step.anchor}</bdi>”` : "without text"}
                , score ${fixed(step.score)}`
          }
        </p>
        <${PageLink} crawl=${crawl} url=${step.url} title=${step.title} />
        <p class="muted">
          ${known(step.relevance) ? `${step.relevant ? "on" : "off"} topic, relevance ${fixed(step.relevance)}` : step.reason || "not fetched yet"}
        </p>
      </li>`,
    )}
  </ol>`;
}

function Facts({ story, page, stated }) {
  const facts = page
    ? [
        ["Fetched", moment(page.fetched_at)],
        ["Status", page.reason ? `${page.status || ""} ${page.reason}` : page.status],
        ["Size", bytes(page.size)],
        ["Type", page.content_type],
        ["Language", page.language],
        ["Links", count(page.links)],
        ["Nearly the same as", page.near_duplicate_of],
        ["Address", page.address],
        ["Description", page.description],
      ]
    : [
        ["State", story.state],
        ["Tries", story.attempts],
      ];
  return html`<section class="panel">
    <h2>Facts</h2>
    <dl class="facts">
      ${[...facts, ...stated.map(([name, value]) => [name[0].toUpperCase() + name.slice(1), value])].filter(([, value]) => value).map(([name, value]) => html`<div key=${`${name} ${value}`}><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}
    </dl>
  </section>`;
}

const CHIPS = 40;

function Text({ whole }) {
  const terms = useMemo(() => Object.entries(whole.matched).sort((a, b) => b[1] - a[1]), [whole]);
  return html`<section class="panel">
    <h2>Text <span class="count">${plural(terms.length, "matched term")}</span></h2>
    <ul class="chips">
      ${terms.slice(0, CHIPS).map(([term, weight]) => html`<li key=${term}><bdi>${term}</bdi> <span class="muted">${fixed(weight)}</span></li>`)}
    </ul>
    <${Reading} text=${whole.text} forms=${terms.map(([term]) => term)} />
    ${whole.shortened && html`<p class="muted">The text goes on; only its beginning is shown.</p>`}
  </section>`;
}

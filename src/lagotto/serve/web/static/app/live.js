// Live: how the crawl does, what it fetches, what waits, and the controls.
import { html, useMemo, useState } from "./parts/html.js";
import { of } from "./parts/api.js";
import { CountBars } from "./parts/bars.js";
import { Controls } from "./parts/controls.js";
import { ExportDialog } from "./parts/exports.js";
import { useFetched } from "./parts/fetched.js";
import { ago, count, duration, fixed, known, moment, now, percent, plural, short } from "./parts/format.js";
import { Answer, Empty, Figure, Label, Meter, PageLink, State, Url, Verdict } from "./parts/pieces.js";
import { to } from "./parts/route.js";
import { useEvents } from "./parts/stream.js";
import { Course, RatioCourse } from "./live/curves.js";

const EVERY = 2500;
const SHOWN = 60;
const LINKS = 15;

const ACTIVE = new Set(["running", "paused"]);

export function Live({ crawl, crawls }) {
  const details = useFetched(of(crawl), { every: EVERY });
  const [exporting, setExporting] = useState(false);
  const running = details.value && ACTIVE.has(details.value.summary.state);
  const every = running ? 2 * EVERY : 0;
  const progress = useFetched(of(crawl, "progress"), { every });
  const reload = () => {
    details.reload();
    crawls.reload();
  };
  return html`<${Answer} of=${details}>
    ${(status) => html`<header class="screen">
        <div>
          <h1><bdi>${crawl}</bdi> <${State} of=${status.summary.state} /></h1>
          <p class="lead">
            ${status.summary.topic && html`<bdi>${status.summary.topic}</bdi>, `}by <b>${status.summary.strategy}</b>
            ${status.summary.updated_at && `, last page ${ago(status.summary.updated_at)}`}
          </p>
        </div>
        <div class="controls">
          <${Controls} crawl=${crawl} state=${status.summary.state} limits=${status.limits} changed=${reload} />
          <a class="button" href=${`/api${of(crawl, "report")}`} download>Report</a>
          <button onClick=${() => setExporting(true)}>Export</button>
        </div>
      </header>
      ${exporting && html`<${ExportDialog} crawl=${crawl} close=${() => setExporting(false)} />`}
      ${status.summary.problem && html`<div class="problem" role="alert"><p>${status.summary.problem}</p></div>`}
      <${Harvest} details=${status} />
      <div class="columns two">
        <section class="panel">
          <h2>Pages and queue over time</h2>
          <${Answer} of=${progress}>${(course) => html`<${Course} course=${course} details=${status} />`}</${Answer}>
        </section>
        <section class="panel">
          <h2>Harvest ratio over pages</h2>
          <${Answer} of=${progress}>
            ${(course) => html`<${RatioCourse} course=${course} details=${status} />`}
          </${Answer}>
        </section>
      </div>
      <div class="columns two">
        <${Arrivals} crawl=${crawl} state=${status.summary.state} running=${running} />
        <${NextLinks} crawl=${crawl} every=${every} />
      </div>
      <div class="columns two">
        <${Failures} crawl=${crawl} every=${every} total=${status.figures.concluded - status.figures.pages} />
        <${Waits} waits=${status.waits} running=${running} />
      </div>`}
  </${Answer}>`;
}

function sure(judging) {
  if (!judging) return ", provisional";
  if (!known(judging.precision_low)) return "";
  return `, precision ${percent(judging.precision_low)} to ${percent(judging.precision_high)}, cut at ${fixed(judging.cut, 2)} with ${plural(judging.near, "page")} near it`;
}

function Harvest({ details }) {
  const { summary, figures, judging } = details;
  const limit = details.limits.max_pages;
  const recalled = judging && judging.here && !(judging.recall_low <= 0 && judging.recall_high >= 1);
  const speed = details.pages_a_second;
  return html`<dl class="figures">
      <${Figure}
        tone="main"
        label="Harvest ratio, last 200"
        value=${percent(details.recent_harvest)}
        note="of the newest pages are on topic"
      />
      <${Figure}
        label="Overall"
        value=${percent(summary.harvest_ratio)}
        note="${count(figures.relevant)} of ${plural(figures.pages, "page")}${sure(judging)}"
      />
      <${Figure}
        label="Random sample"
        value=${percent(details.sample_harvest)}
        note=${known(details.sample_harvest) ? `honest baseline, ${plural(details.sample_pages, "page")}` : "no link was drawn at random yet"}
      />
      <${Figure}
        label="Recall"
        value=${recalled ? percent(judging.recall) : "–"}
        note=${recalled ? `90 % interval ${percent(judging.recall_low)} to ${percent(judging.recall_high)}` : judging ? "too few pages to estimate it" : "estimated after judging again"}
      />
    </dl>
    <dl class="figures">
      <${Figure}
        label="Pages"
        value=${short(figures.pages)}
        note=${limit ? `of ${count(limit)} at most` : "no limit"}
      />
      <${Figure}
        label="Pages a second"
        value=${ACTIVE.has(summary.state) ? fixed(speed, speed >= 10 ? 0 : 1) : "–"}
        note="over the last minute"
      />
      <${Figure}
        label="Queue"
        value=${short(figures.queued)}
        note=${figures.deferred ? `${count(figures.deferred)} to be retried` : "links known, not fetched"}
      />
      <${Figure} label="Hosts" value=${short(figures.hosts)} note="asked so far" />
      <${Figure}
        label="Projected end"
        value=${details.projected_end ? moment(details.projected_end) : "–"}
        note=${details.projected_end ? `in ${duration(Math.max(0, details.projected_end - now()))}` : ACTIVE.has(summary.state) ? (limit ? "too early to say" : "no limit of pages") : `the crawl is ${summary.state}`}
      />
    </dl>
    ${
      judging &&
      !judging.here &&
      html`<p class="notice">
        The topic does not seem to be here: ${count(judging.naming)} of ${plural(judging.pages, "page")} name any of
        its words. Try other seeds or other words.
      </p>`
    }${
      judging &&
      judging.here &&
      !judging.clear &&
      html`<p class="notice">
        It is too early to say whether the topic is here: ${count(judging.naming)} of ${plural(judging.pages, "page")}
        name any of its words.
      </p>`
    }`;
}

function Arrivals({ crawl, state, running }) {
  const stored = useFetched(of(crawl, "pages", { sort: "newest", limit: SHOWN }), { every: running ? 2 * EVERY : 0 });
  const [arrived, setArrived] = useState([]);
  const live = useEvents(crawl, (events) => {
    const pages = events.filter(({ kind }) => kind === "page").reverse();
    if (pages.length) setArrived((before) => [...pages, ...before].slice(0, SHOWN));
  });
  // Events have no titles: the list is asked for again now and then, and tells them.
  const rows = useMemo(() => {
    const byNumber = new Map(arrived.map((event) => [event.page, { ...event, number: event.page }]));
    for (const row of stored.value?.rows || []) byNumber.set(row.number, row);
    return [...byNumber.values()].sort((a, b) => b.number - a.number).slice(0, SHOWN);
  }, [arrived, stored.value]);
  return html`<section class="panel list">
    <h2>
      ${running ? "Pages as they come" : "Newest pages"} <span class="stream ${live ? "open" : ""}" role="status">
        ${live ? (running ? "connected" : `the crawl is ${state}`) : "connecting …"}
      </span>
    </h2>
    <${Answer} of=${stored}>
      ${() =>
        rows.length
          ? html`<ol class="feed" tabindex="0" aria-label="Newest pages first">
            ${rows.map(
              (page) => html`<li key=${page.number}>
              <${Verdict} relevant=${page.relevant} />
              <${PageLink} crawl=${crawl} url=${page.url} title=${page.title} />
              ${page.reason ? html`<span class="tag">${page.reason}</span>` : html`<${Meter} value=${page.relevance} tone=${page.relevant ? "on" : "off"} />`}
            </li>`,
            )}
          </ol>`
          : html`<${Empty} title="No page yet"><p>Pages appear here as soon as they are fetched.</p></${Empty}>`}
    </${Answer}>
  </section>`;
}

function NextLinks({ crawl, every }) {
  const links = useFetched(of(crawl, "links", { n: LINKS }), { every });
  return html`<section class="panel list">
    <h2>Links to be fetched next <a class="more" href=${to("prospect", crawl, { tab: "links" })}>All</a></h2>
    <${Answer} of=${links}>
      ${(rows) =>
        rows.length
          ? html`<ol class="feed" tabindex="0" aria-label="Best links first">
            ${rows.map(
              (link) => html`<li key=${link.url}>
              <${Label} positive=${link.positive} />
              <a class="page" href=${to("why", crawl, { url: link.url })}>
                ${link.anchor && html`<span class="title"><bdi>${link.anchor}</bdi></span>`}
                <${Url} url=${link.url} />
              </a>
              <span class="number">${fixed(link.score)}</span>
            </li>`,
            )}
          </ol>`
          : html`<${Empty} title="The queue is empty">
            <p>No known link is left to follow. Add seeds, or change the patterns that set links aside.</p>
          </${Empty}>`}
    </${Answer}>
  </section>`;
}

function Failures({ crawl, every, total }) {
  const failures = useFetched(of(crawl, "failures"), { every: every && 2 * every });
  const [chosen, setChosen] = useState("");
  return html`<section class="panel">
    <h2>URLs without a page ${known(total) && html`<span class="count">${count(total)}</span>`}</h2>
    <${Answer} of=${failures}>
      ${(rows) =>
        rows.length
          ? html`<${CountBars}
            chosen=${chosen}
            open=${setChosen}
            rows=${rows.map((row) => ({
              name: row.reason,
              label: row.meaning,
              count: row.count,
              children: html`<ul class="examples">
              ${row.examples.map(
                (example) => html`<li key=${example.url}>
                  <a class="page" href=${to("why", crawl, { url: example.url })}><${Url} url=${example.url} /></a> <span
                    class="muted"
                  >
                    ${example.detail}
                  </span>
                </li>`,
              )}
            </ul>`,
            }))}
          />`
          : html`<p class="muted">Every URL asked so far has given a page.</p>`}
    </${Answer}>
  </section>`;
}

function Waits({ waits, running }) {
  return html`<section class="panel">
    <h2>Hosts waited for ${waits.length > 0 && html`<span class="count">${waits.length}</span>`}</h2>
    ${
      waits.length
        ? html`<table class="plain">
          <thead><tr><th scope="col">Host</th><th scope="col">Rate limited until</th></tr></thead>
          <tbody>
            ${waits.map(
              (wait) => html`<tr key=${wait.host}>
                <td><bdi>${wait.host}</bdi></td>
                <td>
                  ${moment(wait.until)} <span class="muted">
                    ${wait.until > now() ? `in ${duration(wait.until - now())}` : "due"}
                  </span>
                </td>
              </tr>`,
            )}
          </tbody>
        </table>`
        : html`<p class="muted">${running ? "No host has asked for patience." : "No host is waited for."}</p>`
    }
  </section>`;
}

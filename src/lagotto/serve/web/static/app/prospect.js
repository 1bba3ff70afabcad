// Prospect: which hosts to keep in or out, which links come next, what a pattern would exclude, what patterns give.
import { html, useState } from "./parts/html.js";
import { of, post } from "./parts/api.js";
import { PartBars } from "./parts/bars.js";
import { useFetched, useSettled } from "./parts/fetched.js";
import { count, fixed, plural } from "./parts/format.js";
import { useKeys } from "./parts/keys.js";
import { Answer, Empty, Label, Ratio, Tabs, Url } from "./parts/pieces.js";
import { go, to } from "./parts/route.js";
import { Pager, Table } from "./parts/table.js";
import { attempt } from "./parts/toasts.js";
import { Exclusions } from "./prospect/exclusions.js";

const LIMIT = 50;
const TABS = [
  ["hosts", "Hosts"],
  ["links", "Next links"],
  ["patterns", "URL patterns"],
  ["exclusions", "Exclusions"],
];

export function Prospect({ crawl, query }) {
  const tab = query.tab || "hosts";
  return html`<header class="screen">
      <div><h1>Prospect</h1><p class="lead">What the crawl has discovered, and what it shall take or leave.</p></div>
    </header>
    <${Tabs}
      label="What to look at"
      tabs=${TABS}
      chosen=${tab}
      choose=${(next) => go("prospect", crawl, { tab: next })}
    />
    ${tab === "hosts" && html`<${Hosts} crawl=${crawl} />`}
    ${tab === "links" && html`<${Links} crawl=${crawl} host=${query.host || ""} />`}
    ${tab === "patterns" && html`<${Patterns} crawl=${crawl} />`}
    ${tab === "exclusions" && html`<${Exclusions} crawl=${crawl} given=${query.exclude || ""} />`}`;
}

const DECISIONS = { in: ["✓", "in"], out: ["✕", "out"], undecided: ["·", "undecided"] };

const Decision = ({ of: decision }) => {
  const [shape, word] = DECISIONS[decision] || DECISIONS.undecided;
  return html`<span class="decision ${word}"><span aria-hidden="true">${shape}</span> ${word}</span>`;
};

function Hosts({ crawl }) {
  const [sort, setSort] = useState("promise");
  const [decision, setDecision] = useState("");
  const [text, setText] = useState("");
  const [offset, setOffset] = useState(0);
  const [chosen, setChosen] = useState(new Set());
  const search = useSettled(text);
  const hosts = useFetched(of(crawl, "hosts", { sort, decision, search, offset, limit: LIMIT }));
  const turn = (change) => (value) => {
    change(value);
    setOffset(0);
  };
  const decide = async (what, names = [...chosen]) => {
    if (!names.length) return;
    const word = {
      in: "in: their links come first",
      out: "out: their links are not followed",
      undecided: "undecided again",
    }[what];
    if (
      await attempt(() => post(of(crawl, "hosts"), { [what]: names }), `${plural(names.length, "host")} ${word}.`)
    ) {
      setChosen(new Set());
      hosts.reload();
    }
  };
  useKeys("Hosts", [
    ["i", "Chosen hosts in", () => decide("in")],
    ["o", "Chosen hosts out", () => decide("out")],
    ["e", "Chosen hosts undecided", () => decide("undecided")],
  ]);
  const columns = [
    {
      id: "host",
      name: "Host",
      cell: (row) =>
        html`<a class="page" href=${to("prospect", crawl, { tab: "links", host: row.host })}>
          <span class="title"><bdi>${row.host}</bdi></span>
        </a>`,
    },
    { id: "decision", name: "Decision", cell: (row) => html`<${Decision} of=${row.decision} />` },
    { id: "promise", name: "Promise", sort: "promise", number: true, cell: (row) => fixed(row.best_score) },
    { id: "citations", name: "Citations", sort: "citations", number: true, cell: (row) => count(row.citations) },
    { id: "queued", name: "Queued", number: true, wide: true, cell: (row) => count(row.queued) },
    { id: "pages", name: "Pages", sort: "pages", number: true, cell: (row) => count(row.pages) },
    {
      id: "relevant",
      name: "On topic",
      sort: "relevant",
      number: true,
      wide: true,
      cell: (row) => count(row.relevant),
    },
    {
      id: "ratio",
      name: "Harvest ratio",
      wide: true,
      cell: (row) =>
        row.pages
          ? html`<${Ratio} value=${row.relevant / row.pages} />`
          : html`<span class="muted">no page yet</span>`,
    },
  ];
  return html`<div class="filters">
      <label class="field inline">
        Find <input
          type="search"
          placeholder="part of a host's name"
          value=${text}
          onInput=${(event) => turn(setText)(event.target.value)}
        />
      </label>
      <label class="field inline">
        Decision <select value=${decision} onChange=${(event) => turn(setDecision)(event.target.value)}>
          <option value="">all</option>
          <option value="undecided">undecided</option>
          <option value="in">in</option>
          <option value="out">out</option>
        </select>
      </label>
      <div class="bulk" role="group" aria-label="Decide on the chosen hosts">
        <span class="muted">${plural(chosen.size, "host")} chosen</span>
        <button disabled=${!chosen.size} onClick=${() => decide("in")}>✓ In <kbd>i</kbd></button>
        <button disabled=${!chosen.size} onClick=${() => decide("out")}>✕ Out <kbd>o</kbd></button>
        <button disabled=${!chosen.size} onClick=${() => decide("undecided")}>Undecided <kbd>e</kbd></button>
      </div>
    </div>
    <${Answer} of=${hosts}>
      ${({ rows, total }) =>
        rows.length
          ? html`<${Table}
              label="Hosts"
              columns=${columns}
              rows=${rows}
              rowKey=${(row) => row.host}
              sort=${sort}
              onSort=${turn(setSort)}
              selected=${chosen}
              onSelect=${setChosen}
            />
            <${Pager}
              offset=${offset}
              limit=${LIMIT}
              total=${total}
              shown=${rows.length}
              go=${setOffset}
              what="host"
            />`
          : html`<${Empty} title="No host">
            <p>
              ${decision || search ? "None fits. Change what you look for." : "Hosts appear as soon as the first page is fetched."}
            </p>
          </${Empty}>`}
    </${Answer}>`;
}

function Links({ crawl, host }) {
  const [open, setOpen] = useState("");
  const links = useFetched(of(crawl, "links", { n: LIMIT, host }));
  return html`${
    host &&
    html`<p class="filters">
      <span class="chip">only <bdi>${host}</bdi></span> <a href=${to("prospect", crawl, { tab: "links" })}>
        All hosts
      </a>
    </p>`
  }
    <${Answer} of=${links}>
      ${(rows) =>
        rows.length
          ? html`<ol class="panel feed links">
            ${rows.map(
              (link, place) => html`<li key=${link.url}>
              <span class="rank">${place + 1}</span>
              <div class="page-with-parts">
                <a class="page" href=${to("why", crawl, { url: link.url })}>
                  ${link.anchor && html`<span class="title"><bdi>${link.anchor}</bdi></span>`}
                  <${Url} url=${link.url} />
                </a>
                ${
                  open === link.url &&
                  html`<${PartBars}
                      parts=${Object.entries(link.parts).map(([name, value]) => ({ name, value }))}
                      label="Parts of the link score"
                    />
                    <p class="muted">
                      found on <${Url} url=${link.parent || "–"} />
                      , ${plural(link.depth, "step")} from a seed
                    </p>`
                }
              </div>
              <${Label} positive=${link.positive} />
              <button
                class="small quiet"
                aria-expanded=${String(open === link.url)}
                onClick=${() => setOpen(open === link.url ? "" : link.url)}
              >
                ${fixed(link.score)}
                <span class="unseen"> link score, show its parts</span>
              </button>
            </li>`,
            )}
          </ol>`
          : html`<${Empty} title="No link waits">
            <p>${host ? "No known link of this host is left to follow." : "The queue is empty."}</p>
          </${Empty}>`}
    </${Answer}>`;
}

// A URL pattern as a regular expression that matches it: # stands for what varies.
const asExpression = (pattern) => pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("#", "[^/?&=]+");

function Patterns({ crawl }) {
  const [offset, setOffset] = useState(0);
  const patterns = useFetched(of(crawl, "patterns", { offset, limit: LIMIT }));
  const columns = [
    { id: "pattern", name: "URL pattern", cell: (row) => html`<${Url} url=${row.pattern} />` },
    { id: "pages", name: "Pages", number: true, cell: (row) => count(row.pages) },
    { id: "relevant", name: "On topic", number: true, cell: (row) => count(row.relevant) },
    {
      id: "ratio",
      name: "Harvest ratio",
      cell: (row) => html`<${Ratio} value=${row.pages ? row.relevant / row.pages : 0} />`,
    },
    {
      id: "exclude",
      name: html`<span class="unseen">Exclude</span>`,
      wide: true,
      cell: (row) =>
        html`<a
          class="button small"
          aria-label=${`Exclude ${row.pattern}`}
          href=${to("prospect", crawl, { tab: "exclusions", exclude: asExpression(row.pattern) })}
        >
          Exclude …
        </a>`,
    },
  ];
  return html`<${Answer} of=${patterns}>
    ${({ rows, total }) =>
      rows.length
        ? html`<${Table} label="Harvest per URL pattern" columns=${columns} rows=${rows} rowKey=${(row) => row.pattern} />
          <${Pager}
            offset=${offset}
            limit=${LIMIT}
            total=${total}
            shown=${rows.length}
            go=${setOffset}
            what="pattern"
          />
          <p class="muted">What varies in a URL is written #. Patterns that give little are worth an exclusion.</p>`
        : html`<${Empty} title="No pattern yet"><p>Patterns appear once pages are fetched.</p></${Empty}>`}
  </${Answer}>`;
}

// All crawls: state, problems and curve of each; compare several; reports and exports.
import { html, useMemo, useState } from "./parts/html.js";
import { Spark } from "./parts/bars.js";
import { Chart } from "./parts/chart.js";
import { ExportDialog, Jobs } from "./parts/exports.js";
import { ago, count, moment, percent, short } from "./parts/format.js";
import { Answer, Empty, Ratio, State } from "./parts/pieces.js";
import { to } from "./parts/route.js";
import { Table } from "./parts/table.js";

export function Crawls({ crawls }) {
  const [chosen, setChosen] = useState(new Set());
  const [exporting, setExporting] = useState("");
  return html`<header class="screen">
      <div><h1>All crawls</h1><p class="lead">Choose two or more to compare them.</p></div>
      <div class="controls"><a class="button primary" href=${to("start")}>Start a crawl</a></div>
    </header>
    <${Answer} of=${crawls}>
      ${(rows) =>
        rows.length
          ? html`<${List} rows=${rows} chosen=${chosen} choose=${setChosen} exportOf=${setExporting} />
            <${Comparison} rows=${rows.filter(({ name }) => chosen.has(name))} />`
          : html`<${Empty} title="No crawl yet">
            <p>Name a topic, give a few pages to start from, and watch what comes in.</p>
            <p><a class="button primary" href=${to("start")}>Start a crawl</a></p>
            <p class="muted">
              Crawls started with <code>lagotto crawl</code> in a folder that this server was given appear here too.
            </p>
          </${Empty}>`}
    </${Answer}>
    <${Jobs} />
    ${exporting && html`<${ExportDialog} crawl=${exporting} close=${() => setExporting("")} />`}`;
}

function List({ rows, chosen, choose, exportOf }) {
  const columns = [
    {
      id: "name",
      name: "Crawl",
      cell: (row) => html`<div class="name-state">
          <a class="page" href=${to("live", row.name)}><span class="title"><bdi>${row.name}</bdi></span></a>
          <${State} of=${row.state} />
        </div>
        <span class="muted clamp"><bdi>${row.topic}</bdi>${row.strategy && ` · ${row.strategy}`}</span>
        ${row.problem && html`<p class="trouble">${row.problem}</p>`}`,
    },
    { id: "pages", name: "Pages", number: true, cell: (row) => short(row.pages) },
    { id: "ratio", name: "On topic", cell: (row) => html`<${Ratio} value=${row.harvest_ratio} />` },
    {
      id: "curve",
      name: "Curve",
      wide: true,
      cell: (row) =>
        html`<${Spark} points=${row.curve} label=${`${count(row.relevant)} of ${count(row.pages)} pages on topic`} />`,
    },
    {
      id: "updated",
      name: "Last page",
      wide: true,
      cell: (row) => html`<span class="nowrap">${ago(row.updated_at)}</span>`,
    },
    {
      id: "more",
      name: html`<span class="unseen">Report and export</span>`,
      wide: true,
      cell: (row) => html`<div class="row-actions">
        <a
          class="button small"
          href=${`/api/crawls/${encodeURIComponent(row.name)}/report`}
          download
          aria-label=${`Report of ${row.name}`}
        >
          Report
        </a>
        <button class="small" aria-label=${`Export ${row.name}`} onClick=${() => exportOf(row.name)}>Export</button>
      </div>`,
    },
  ];
  return html`<${Table}
    label="Crawls"
    columns=${columns}
    rows=${rows}
    rowKey=${(row) => row.name}
    selected=${chosen}
    onSelect=${choose}
  />`;
}

const TONES = ["accent", "off", "violet", "on", "muted", "danger"];
const LINES = ["solid", "dashed", "dotted"];

function Comparison({ rows }) {
  const { x, series } = useMemo(() => joined(rows), [rows]);
  if (rows.length < 2) return "";
  const figures = [
    ["Strategy", (row) => row.strategy],
    ["Topic", (row) => html`<bdi>${row.topic}</bdi>`],
    ["Pages", (row) => count(row.pages)],
    ["On topic", (row) => count(row.relevant)],
    ["Harvest ratio", (row) => percent(row.harvest_ratio)],
    ["Queue", (row) => count(row.queued)],
    ["Begun", (row) => moment(row.started_at)],
  ];
  return html`<section class="panel" aria-label="Comparison">
    <h2>Pages on topic over pages fetched</h2>
    <${Chart}
      x=${x}
      series=${series}
      height=${280}
      xLabel="over pages fetched"
      label=${rows.map((row) => `${row.name}: ${count(row.relevant)} of ${count(row.pages)} pages on topic.`).join(" ")}
    />
    <div class="table-box" tabindex="0" role="region" aria-label="Figures side by side">
      <table>
        <thead>
          <tr><td></td>${rows.map((row) => html`<th scope="col" key=${row.name}><bdi>${row.name}</bdi></th>`)}</tr>
        </thead>
        <tbody>
          ${figures.map(
            ([name, cell]) => html`<tr key=${name}>
              <th scope="row">${name}</th>
              ${rows.map((row) => html`<td key=${row.name}>${cell(row)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

// Curves of several crawls over the page numbers of all of them.
export function joined(rows) {
  const x = [...new Set(rows.flatMap(({ curve }) => curve.map(([pages]) => pages)))].sort((a, b) => a - b);
  const series = rows.map((row, place) => {
    const at = new Map(row.curve);
    return {
      label: row.name,
      tone: TONES[place % TONES.length],
      line: LINES[place % LINES.length],
      values: x.map((pages) => at.get(pages) ?? null),
    };
  });
  return { x, series };
}

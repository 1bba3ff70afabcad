// Exports run as jobs on the server; the finished ones are downloaded from here.
import { html, useState } from "./html.js";
import { of, post, remove } from "./api.js";
import { Dialog } from "./dialog.js";
import { useFetched } from "./fetched.js";
import { ago, bytes, plural } from "./format.js";
import { attempt } from "./toasts.js";

const FORMATS = [
  ["jsonl", "JSON lines", "one object a page"],
  ["csv", "CSV", "a table for spreadsheets"],
  ["parquet", "Parquet", "a table for pandas, DuckDB and others"],
  ["markdown", "Markdown", "one file a page, for reading and for language models"],
  ["folder", "Folder", "the pages as they came"],
  ["wacz", "WACZ", "a web archive that can be replayed"],
  ["cdxj", "CDXJ", "an index of the archive"],
  ["graphml", "GraphML", "hosts or pages as a graph, for Gephi"],
];

export function ExportDialog({ crawl, numbers = null, close }) {
  const [format, setFormat] = useState("jsonl");
  const [relevantOnly, setRelevantOnly] = useState(!numbers);
  const [withText, setWithText] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const wanted = {
      format,
      relevant_only: relevantOnly,
      with_text: withText,
      ...(numbers ? { numbers, relevant_only: false } : {}),
    };
    if (
      await attempt(
        () => post(of(crawl, "exports"), wanted),
        "The export is being written. It appears under All crawls when it is done.",
      )
    )
      close();
  };
  return html`<${Dialog} title=${numbers ? `Export ${plural(numbers.length, "page")}` : `Export ${crawl}`} close=${close}>
    <form onSubmit=${submit}>
      <fieldset class="choices">
        <legend>Format</legend>
        ${FORMATS.map(
          ([id, name, what]) =>
            html`<label key=${id}>
              <input
                type="radio"
                name="format"
                value=${id}
                checked=${format === id}
                onChange=${() => setFormat(id)}
              /> <b>${name}</b> <span class="muted">${what}</span>
            </label>`,
        )}
      </fieldset>
      ${
        !numbers &&
        html`<label class="check">
          <input
            type="checkbox"
            checked=${relevantOnly}
            onChange=${(event) => setRelevantOnly(event.target.checked)}
          /> Only pages on topic
        </label>`
      }
      ${
        ["jsonl", "csv", "parquet"].includes(format) &&
        html`<label class="check">
          <input type="checkbox" checked=${withText} onChange=${(event) => setWithText(event.target.checked)} /> With
          the text of each page
        </label>`
      }
      <div class="actions">
        <button class="primary">Export</button>
        <button type="button" onClick=${close}>Cancel</button>
      </div>
    </form>
  </${Dialog}>`;
}

const SHAPES = { queued: "·", running: "▶", done: "✓", failed: "!", stopped: "■" };
const NAMES = { export: "Export", marks: "Marks", seeds: "Seeds", train: "Network", judge: "Judging again" };

export function Jobs() {
  const jobs = useFetched("/jobs", { every: 2500 });
  // Marks tell on their own screen what they changed.
  const rows = (jobs.value || []).filter((job) => job.kind !== "marks" || job.state === "failed");
  if (!rows.length) return "";
  const stop = async (job) => {
    await attempt(() => remove(`/jobs/${encodeURIComponent(job.id)}`));
    jobs.reload();
  };
  return html`<section class="panel">
    <h2>Exports and other work</h2>
    <ul class="jobs">
      ${rows.map(
        (job) => html`<li key=${job.id}>
          <span class="state ${job.state}">
            <span aria-hidden="true">${SHAPES[job.state] || "·"}</span> ${job.state}
          </span>
          <span>
            <b>${NAMES[job.kind] || job.kind}</b> ${job.crawl && html`of <bdi>${job.crawl}</bdi>`} <span
              class="muted"
            >
              ${ago(job.created_at)}
            </span>
            ${job.problem && html`<p class="trouble">${job.problem}</p>`}
          </span>
          ${
            job.file &&
            html`<a class="button small" href=${`/api/jobs/${encodeURIComponent(job.id)}/file`} download>
            Download <bdi>${job.file}</bdi> <span class="muted">${bytes(job.size)}</span>
          </a>`
          }
          <button class="small quiet" onClick=${() => stop(job)}>${job.ended_at ? "Forget" : "Stop"}</button>
        </li>`,
      )}
    </ul>
  </section>`;
}

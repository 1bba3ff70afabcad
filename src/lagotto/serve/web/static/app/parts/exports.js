// Exports run as jobs on the server; the finished ones are downloaded from here.
import { html, useState } from "./html.js";
import { of, post, remove } from "./api.js";
import { Dialog } from "./dialog.js";
import { useFetched } from "./fetched.js";
import { ago, bytes, plural } from "./format.js";
import { Answer } from "./pieces.js";
import { attempt } from "./toasts.js";

export function ExportDialog({ crawl, numbers = null, close }) {
  const formats = useFetched("/formats");
  const [format, setFormat] = useState("jsonl");
  const [relevantOnly, setRelevantOnly] = useState(true);
  const [withText, setWithText] = useState(false);
  const takes = (formats.value || []).find(({ name }) => name === format)?.options || [];
  const submit = async (event) => {
    event.preventDefault();
    const wanted = {
      format,
      ...(numbers ? { numbers } : takes.includes("relevant_only") && { relevant_only: relevantOnly }),
      ...(takes.includes("with_text") && { with_text: withText }),
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
    <${Answer} of=${formats}>
      ${(all) => html`<form onSubmit=${submit}>
        <fieldset class="choices">
          <legend>Format</legend>
          ${all
            .filter(({ options }) => !numbers || options.includes("numbers"))
            .map(
              ({ name, label, about }) =>
                html`<label key=${name}>
                  <input
                    type="radio"
                    name="format"
                    value=${name}
                    checked=${format === name}
                    onChange=${() => setFormat(name)}
                  /> <b>${label}</b> <span class="muted">${about}</span>
                </label>`,
            )}
        </fieldset>
        ${
          !numbers &&
          takes.includes("relevant_only") &&
          html`<label class="check">
            <input
              type="checkbox"
              checked=${relevantOnly}
              onChange=${(event) => setRelevantOnly(event.target.checked)}
            /> Only pages on topic
          </label>`
        }
        ${
          takes.includes("with_text") &&
          html`<label class="check">
            <input type="checkbox" checked=${withText} onChange=${(event) => setWithText(event.target.checked)} /> With
            the text of each page
          </label>`
        }
        <div class="actions">
          <button class="primary">Export</button>
          <button type="button" onClick=${close}>Cancel</button>
        </div>
      </form>`}
    </${Answer}>
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

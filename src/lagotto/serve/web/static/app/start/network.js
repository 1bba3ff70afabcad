// Train a named network on pages on and off the topic, and watch its error fall.
import { html, useMemo, useState } from "../parts/html.js";
import { post, remove } from "../parts/api.js";
import { Chart } from "../parts/chart.js";
import { useFetched } from "../parts/fetched.js";
import { count, fixed, known, percent, plural } from "../parts/format.js";
import { useJob } from "../parts/job.js";
import { Answer, Problem } from "../parts/pieces.js";
import { attempt } from "../parts/toasts.js";
import { FilePicker } from "./files.js";

export function Network() {
  const [name, setName] = useState("");
  const [pages, setPages] = useState({ relevant: [], irrelevant: [] });
  const [settings, setSettings] = useState({ hidden: 50, rate: 0.1, target_error: 0.001 });
  const [job, begin] = useJob();
  const saved = useFetched("/topics");
  const add = (kind) => (files) => setPages((before) => ({ ...before, [kind]: [...before[kind], ...files] }));
  const train = (event) => {
    event.preventDefault();
    begin(() => post("/networks", { name, ...pages, ...settings })).then(saved.reload);
  };
  const ready = name.trim() && pages.relevant.length && pages.irrelevant.length;
  return html`<div class="columns two">
    <form class="panel" onSubmit=${train}>
      <h2>Train a network</h2>
      <p class="muted">
        A network learns from pages on the topic and pages off it which words tell them apart. The strategy <b>
          neural
        </b> crawls by it.
      </p>
      <label class="field">
        Name <input required value=${name} onInput=${(event) => setName(event.target.value)} />
      </label>
      ${[
        ["relevant", "Pages on the topic"],
        ["irrelevant", "Pages off the topic"],
      ].map(
        ([kind, label]) => html`<div key=${kind}>
          <${FilePicker} label=${label} take=${add(kind)} />
          <p class="muted">
            ${plural(pages[kind].length, "file")}
            ${
              pages[kind].length > 0 &&
              html` <button type="button" class="quiet small" onClick=${() => setPages({ ...pages, [kind]: [] })}>
                Remove them
              </button>`
            }
          </p>
        </div>`,
      )}
      <div class="fields four">
        ${[
          ["hidden", "Hidden nodes", 1, 1],
          ["rate", "Learning rate", "any", 0.001],
          ["target_error", "Target error", "any", 0.0001],
        ].map(
          ([key, label, step, least]) =>
            html`<label class="field" key=${key}>
              ${label}
              <input
                type="number"
                min=${least}
                step=${step}
                value=${settings[key]}
                onInput=${(event) => setSettings({ ...settings, [key]: Number(event.target.value) })}
              />
            </label>`,
        )}
      </div>
      <div class="actions">
        <button class="primary" disabled=${!ready || job.state === "running"}>
          ${job.state === "running" ? "Training …" : "Train"}
        </button>
        ${
          job.state === "running" &&
          job.id &&
          html`<button
            type="button"
            onClick=${() => attempt(() => remove(`/jobs/${encodeURIComponent(job.id)}`), "Stopped.")}
          >
            Stop
          </button>`
        }
        ${!ready && html`<span class="muted">A name and pages of both kinds are needed.</span>`}
      </div>
    </form>
    <div class="stack">
      <section class="panel">
        <h2>Error while it learns</h2>
        <${ErrorCurve} job=${job} target=${settings.target_error} />
      </section>
      <section class="panel">
        <h2>Networks</h2>
        <${Answer} of=${saved}>
          ${(all) => {
            const rows = all.filter(({ kind }) => kind === "network");
            return rows.length
              ? html`<dl class="facts">
                ${rows.map((row) => html`<div key=${row.name}><dt><bdi>${row.name}</bdi></dt><dd>${row.summary}</dd></div>`)}
              </dl>`
              : html`<p class="muted">No network is trained yet.</p>`;
          }}
        </${Answer}>
      </section>
    </div>
  </div>`;
}

function ErrorCurve({ job, target }) {
  const curve = job.result?.curve || [];
  const x = useMemo(() => curve.map(([epoch]) => epoch), [curve]);
  const errors = useMemo(() => curve.map(([, error]) => error), [curve]);
  const series = useMemo(
    () => [
      { label: "Error", tone: "accent", values: errors },
      { label: "Target", tone: "muted", line: "dotted", values: errors.map(() => target) },
    ],
    [errors, target],
  );
  if (job.error) return html`<${Problem} error=${job.error} />`;
  if (errors.length < 2)
    return html`<p class="muted">
      ${job.state === "running" ? "The first rounds are under way …" : "The curve is drawn while a network is trained."}
    </p>`;
  const [last, rounds] = [errors.at(-1), x.at(-1)];
  const held = job.result.held_out;
  return html`<${Chart}
      x=${x}
      series=${series}
      top=${Math.max(...errors) * 1.05}
      show=${{ y: (value) => (known(value) ? value.toFixed(3) : "") }}
      xLabel="over rounds"
      label=${`After ${count(rounds)} rounds the error is ${fixed(last, 4)}; the target is ${target}.`}
    />
    <p role="status">
      ${job.state === "running" ? "Learning: " : ""}error ${fixed(last, 4)} after ${plural(rounds, "round")}
      ${job.state === "done" && (job.result.reached_target ? "; the target is reached" : "; the target was not reached")}
      .${held && ` Of ${plural(held.pages, "page")} kept back, ${percent(held.accuracy)} are judged rightly.`}
    </p>`;
}

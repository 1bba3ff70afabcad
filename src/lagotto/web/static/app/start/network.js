// Train a named network on pages on and off the topic, and watch its error fall.
import { html, useMemo, useState } from "../parts/html.js";
import { post, remove } from "../parts/api.js";
import { Chart } from "../parts/chart.js";
import { useFetched } from "../parts/fetched.js";
import { count, fixed, known, moment, plural } from "../parts/format.js";
import { useJob } from "../parts/job.js";
import { Answer, Problem } from "../parts/pieces.js";
import { attempt } from "../parts/toasts.js";
import { FilePicker } from "./files.js";

export function Network() {
  const [name, setName] = useState("");
  const [pages, setPages] = useState({ relevant: [], irrelevant: [] });
  const [settings, setSettings] = useState({ hidden: 4, rate: 0.5, target_error: 0.01 });
  const [job, begin] = useJob();
  const networks = useFetched("/networks", { every: job.state === "running" ? 3000 : 0 });
  const add = (kind) => (files) => setPages((before) => ({ ...before, [kind]: [...before[kind], ...files] }));
  const train = (event) => {
    event.preventDefault();
    begin(() => post("/networks", { name, ...pages, ...settings })).then(networks.reload);
  };
  const ready = name.trim() && pages.relevant.length && pages.irrelevant.length;
  return html`<div class="columns two">
    <form class="panel" onSubmit=${train}><h2>Train a network</h2>
      <p class="muted">A network learns from pages on the topic and pages off it which words tell them apart. The strategy <b>neural</b> crawls by it.</p>
      <label class="field">Name <input required value=${name} onInput=${(event) => setName(event.target.value)} /></label>
      ${[["relevant", "Pages on the topic"], ["irrelevant", "Pages off the topic"]].map(([kind, label]) => html`<div key=${kind}>
        <${FilePicker} label=${label} take=${add(kind)} />
        <p class="muted">${plural(pages[kind].length, "file")}${pages[kind].length > 0 && html` <button type="button" class="quiet small" onClick=${() => setPages({ ...pages, [kind]: [] })}>Remove them</button>`}</p></div>`)}
      <div class="fields four">
        ${[["hidden", "Hidden nodes", 1, 1], ["rate", "Learning rate", "any", 0.001], ["target_error", "Target error", "any", 0.0001]].map(([key, label, step, least]) => html`<label class="field" key=${key}>${label}<input type="number" min=${least} step=${step} value=${settings[key]} onInput=${(event) => setSettings({ ...settings, [key]: Number(event.target.value) })} /></label>`)}
      </div>
      <div class="actions"><button class="primary" disabled=${!ready || job.state === "running"}>${job.state === "running" ? "Training …" : "Train"}</button>
        ${job.state === "running" && job.id && html`<button type="button" onClick=${() => attempt(() => remove(`/jobs/${encodeURIComponent(job.id)}`), "Stopped.")}>Stop</button>`}
        ${!ready && html`<span class="muted">A name and pages of both kinds are needed.</span>`}</div>
    </form>
    <div class="stack">
      <section class="panel"><h2>Error while it learns</h2><${ErrorCurve} job=${job} target=${settings.target_error} /></section>
      <section class="panel"><h2>Networks</h2><${Answer} of=${networks}>${(answer) => {
        const rows = answer.rows || answer;
        return rows.length
          ? html`<table class="plain"><thead><tr><th scope="col">Name</th><th scope="col">Hidden nodes</th><th scope="col">Error</th><th scope="col">Made</th></tr></thead><tbody>${rows.map((row) => html`<tr key=${row.name}><td><bdi>${row.name}</bdi></td><td>${count(row.hidden)}</td><td>${fixed(row.error, 4)}</td><td>${moment(row.created_at)}</td></tr>`)}</tbody></table>`
          : html`<p class="muted">No network is trained yet.</p>`;
      }}<//></section>
    </div>
  </div>`;
}

function ErrorCurve({ job, target }) {
  const errors = job.result?.errors || [];
  const x = useMemo(() => errors.map((_, place) => place + 1), [errors]);
  const series = useMemo(() => [{ label: "Error", tone: "accent", values: errors }, { label: "Target", tone: "muted", line: "dotted", values: errors.map(() => target) }], [errors, target]);
  if (job.error) return html`<${Problem} error=${job.error} />`;
  if (errors.length < 2) return html`<p class="muted">${job.state === "running" ? "The first rounds are under way …" : "The curve is drawn while a network is trained."}</p>`;
  const last = errors.at(-1);
  return html`<${Chart} x=${x} series=${series} top=${Math.max(...errors) * 1.05} show=${{ y: (value) => (known(value) ? value.toFixed(3) : "") }} xLabel="over rounds" label=${`After ${count(errors.length)} rounds the error is ${fixed(last, 4)}; the target is ${target}.`} />
    <p role="status">${job.state === "running" ? "Learning: " : job.state === "done" ? "Done: " : ""}error ${fixed(last, 4)} after ${plural(errors.length, "round")}.</p>`;
}

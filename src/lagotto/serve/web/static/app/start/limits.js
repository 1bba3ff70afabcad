// Limits and politeness of a new crawl, with an estimate of how long it will take.
import { html, useEffect, useState } from "../parts/html.js";
import { post } from "../parts/api.js";
import { useFetched, useSettled } from "../parts/fetched.js";
import { count, duration } from "../parts/format.js";
import { Parameter } from "../parts/parameter.js";
import { Answer } from "../parts/pieces.js";
import { urlsIn } from "./seeds.js";

export function Limits({ draft, change }) {
  const options = useFetched("/options");
  const set = ({ name, kind }) => (value) => {
    const next = { ...draft.options, [name]: kind === "list" && value ? [value] : value };
    if (value === undefined) delete next[name];
    change({ options: next });
  };
  const fields = (answer, place) =>
    answer
      .filter(({ settable, form }) => settable && form === place)
      .map(
        (option) => html`<${Parameter}
          key=${option.name}
          option=${option}
          value=${[draft.options[option.name]].flat()[0]}
          set=${set(option)}
        />`,
      );
  return html`<section class="panel">
    <h2><span class="step">4</span> Limits and politeness</h2>
    <${Answer} of=${options}>
      ${(answer) => html`<div class="fields four">${fields(answer, "plain")}</div>
        <details>
          <summary>More limits</summary>
          <div class="fields">${fields(answer, "advanced")}</div>
        </details>`}
    </${Answer}>
    <${Estimate} draft=${draft} />
  </section>`;
}

function Estimate({ draft }) {
  const asked = useSettled(JSON.stringify({ seeds: urlsIn(draft.seeds), ...pick(draft.options) }), 400);
  const [estimate, setEstimate] = useState({});
  useEffect(() => {
    const body = JSON.parse(asked);
    let wanted = true;
    if (!body.seeds.length) setEstimate({});
    else
      post("/estimate", body).then(
        (value) => wanted && setEstimate({ value }),
        (error) => wanted && setEstimate({ error }),
      );
    return () => {
      wanted = false;
    };
  }, [asked]);
  const { value, error } = estimate;
  if (error) return html`<p class="muted">${error.message}</p>`;
  if (!value) return html`<p class="muted">With seeds, an estimate of the duration stands here.</p>`;
  if (value.seconds_on_seed_hosts === null)
    return html`<p class="estimate" role="status">
      <b>No end by itself.</b> Without a limit of pages the crawl goes on until it is stopped or finds no more links.
    </p>`;
  return html`<p class="estimate" role="status">
    <b>About ${duration(value.seconds_on_more_hosts)}</b> if it soon finds ten times as many hosts, ${duration(value.seconds_on_seed_hosts)} if
    it stays on ${value.hosts === 1 ? "the host" : `the ${count(value.hosts)} hosts`} of the seeds. The delay between
    requests to one host decides.
  </p>`;
}

const pick = ({ max_pages, delay, concurrency }) => ({ max_pages, delay, concurrency });

// Pause, go on, stop and change a crawl, in one place for all screens.
import { html, useState } from "./html.js";
import { of, post } from "./api.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { attempt } from "./toasts.js";

const BUTTONS = {
  running: [
    ["pause", "Pause", "pause"],
    ["stop", "Stop", "stop"],
  ],
  paused: [
    ["unpause", "Go on", "play"],
    ["stop", "Stop", "stop"],
  ],
  stopped: [["resume", "Resume", "play"]],
  failed: [["resume", "Resume", "play"]],
  finished: [["resume", "Resume", "play"]],
};

const DONE = {
  pause: "Paused. Requests under way are finished.",
  unpause: "The crawl goes on.",
  stop: "Told to stop. It finishes what is under way.",
  resume: "The crawl goes on in a process of its own.",
};

// What came of commands, in the crawl's own words.
export const outcome = (sent) =>
  sent
    .map(
      ({ command, taken_at, outcome: came }) => `${command}: ${came || (taken_at ? "done" : "waits for the crawl")}`,
    )
    .join("; ") || "Nothing changed.";

export function Controls({ crawl, state, limits, changed }) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const send = async (verb) => {
    setBusy(true);
    await attempt(() => post(of(crawl, "commands"), { [verb]: true }), DONE[verb]);
    setBusy(false);
    changed();
  };
  return html`${(BUTTONS[state] || []).map(
    ([verb, name, icon]) =>
      html`<button key=${verb} disabled=${busy} onClick=${() => send(verb)}><${Icon} name=${icon} /> ${name}</button>`,
  )}
    <button onClick=${() => setOpen(true)}>Budget and delays</button>
    ${open && html`<${Limits} crawl=${crawl} limits=${limits || {}} close=${() => setOpen(false)} changed=${changed} />`}`;
}

const FIELDS = [
  ["max_pages", "Pages at most", "0: no limit", 1],
  ["max_time", "Seconds at most", "0: no limit", 1],
  ["max_bytes", "Bytes at most", "0: no limit", 1],
  ["delay", "Seconds between requests to one host", "the polite default is 1", "any"],
  ["ip_delay", "Seconds between requests to one address", "0: off", "any"],
  ["concurrency", "Requests at once", "over all hosts", 1],
];

function Limits({ crawl, limits, close, changed }) {
  const [values, setValues] = useState({});
  const submit = async (event) => {
    event.preventDefault();
    const steer = Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== "")
        .map(([name, value]) => [name, Number(value)]),
    );
    if (await attempt(() => post(of(crawl, "commands"), { steer }), outcome)) {
      close();
      changed();
    }
  };
  return html`<${Dialog} title="Budget and delays" close=${close}>
    <form onSubmit=${submit} class="fields">
      ${FIELDS.map(
        ([name, label, hint, step]) => html`<label class="field" key=${name}>
          ${label} <small>${hint}</small>
          <input
            type="number"
            min=${name === "concurrency" ? 1 : 0}
            step=${step}
            value=${values[name] ?? limits[name] ?? ""}
            onInput=${(event) => setValues({ ...values, [name]: event.target.value })}
          />
        </label>`,
      )}
      <div class="actions">
        <button class="primary" disabled=${!Object.keys(values).length}>Change</button>
        <button type="button" onClick=${close}>Cancel</button>
      </div>
    </form>
  </${Dialog}>`;
}

// Pause, go on, stop and change a crawl, in one place for all screens.
import { html, useState } from "./html.js";
import { of, post } from "./api.js";
import { Dialog } from "./dialog.js";
import { useFetched } from "./fetched.js";
import { Icon } from "./icons.js";
import { Parameter } from "./parameter.js";
import { Answer } from "./pieces.js";
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

function Limits({ crawl, limits, close, changed }) {
  const options = useFetched("/options");
  const [steer, setSteer] = useState({});
  const given = Object.fromEntries(Object.entries(steer).filter(([, value]) => value !== undefined));
  const submit = async (event) => {
    event.preventDefault();
    if (await attempt(() => post(of(crawl, "commands"), { steer: given }), outcome)) {
      close();
      changed();
    }
  };
  return html`<${Dialog} title="Budget and delays" close=${close}>
    <form onSubmit=${submit} class="fields">
      <${Answer} of=${options}>
        ${(answer) =>
          answer
            .filter(({ limit }) => limit)
            .map(
              (option) => html`<${Parameter}
                key=${option.name}
                option=${option}
                value=${option.name in steer ? steer[option.name] : limits[option.name]}
                set=${(value) => setSteer({ ...steer, [option.name]: value })}
              />`,
            )}
      </${Answer}>
      <div class="actions">
        <button class="primary" disabled=${!Object.keys(given).length}>Change</button>
        <button type="button" onClick=${close}>Cancel</button>
      </div>
    </form>
  </${Dialog}>`;
}

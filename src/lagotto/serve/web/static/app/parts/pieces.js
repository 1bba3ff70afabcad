// Small pieces that several screens show: pages, URLs, verdicts, states, empty and failed screens.
import { html } from "./html.js";
import { fixed, hostOf, isWeb, known, percent } from "./format.js";
import { to } from "./route.js";
import { Icon } from "./icons.js";

const STATES = {
  running: ["▶", "running"],
  paused: ["‖", "paused"],
  finished: ["✓", "finished"],
  stopped: ["■", "stopped"],
  failed: ["!", "failed"],
};

export function State({ of: state }) {
  const [shape, word] = STATES[state] || ["?", state || "unknown"];
  return html`<span class="state ${state}"><span aria-hidden="true">${shape}</span> ${word}</span>`;
}

// Whether a page is on topic: a shape and a word besides the colour.
export function Verdict({ relevant, words = false }) {
  const [kind, shape, word] =
    relevant === true
      ? ["on", "●", "on topic"]
      : relevant === false
        ? ["off", "○", "off topic"]
        : ["none", "·", "no verdict"];
  return html`<span class="verdict ${kind}" title=${word}>
    <span aria-hidden="true">${shape}</span>
    ${words ? html` ${word}` : html`<span class="unseen">${word}</span>`}
  </span>`;
}

// What the strategy expects of a link.
export const Label = ({ positive }) =>
  html`<span class="label ${positive ? "on" : ""}">${positive ? "▲ promising" : "▽ doubtful"}</span>`;

// A share from 0 to 1 as a short bar with its number.
export const Meter = ({ value, digits = 2, tone = "accent" }) =>
  known(value)
    ? html`<span class="meter">
      <span class="track" aria-hidden="true">
        <span class="fill ${tone}" style=${{ width: `${100 * Math.min(1, Math.max(0, value))}%` }}></span>
      </span>
      ${fixed(value, digits)}
    </span>`
    : html`<span class="muted">–</span>`;

export const Ratio = ({ value }) =>
  html`<span class="meter">
    <span class="track" aria-hidden="true">
      <span class="fill on" style=${{ width: `${100 * (value || 0)}%` }}></span>
    </span>
    ${percent(value)}
  </span>`;

// A URL, shortened by the style sheet where it is too long; the host stands out.
export function Url({ url }) {
  const host = hostOf(url);
  const at = host ? url.indexOf(host) : -1;
  return html`<span class="url" title=${url}>
    <bdi>${at < 0 ? url : html`${url.slice(0, at)}<b>${host}</b>${url.slice(at + host.length)}`}</bdi>
  </span>`;
}

// Title and URL of a page, leading to its explanation.
export const PageLink = ({ crawl, url, title, query = {} }) =>
  html`<a class="page" href=${to("why", crawl, { url, ...query })}>
    ${title ? html`<span class="title"><bdi>${title}</bdi></span>` : ""}
    <${Url} url=${url} />
  </a>`;

// Out to the page itself; only for web addresses, since a crawl meets others.
export const Outside = ({ url }) =>
  isWeb(url)
    ? html`<a class="button quiet" href=${url} target="_blank" rel="noopener noreferrer nofollow">
      <${Icon} name="out" /> Open the original
    </a>`
    : "";

export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2>${children}</div>`;

export const Problem = ({ error, retry }) =>
  html`<div class="problem" role="alert">
    <p>${error.message}</p>
    ${retry && html`<button onClick=${retry}>Try again</button>`}
  </div>`;

export const Loading = ({ what = "Loading" }) => html`<p class="loading" role="status">${what} …</p>`;

// The answer of `useFetched`, or what stands in for it while there is none. That the server is gone, a banner says.
export function Answer({ of: fetched, children }) {
  if (fetched.value) {
    return html`${fetched.error?.status > 0 && html`<${Problem} error=${fetched.error} retry=${fetched.reload} />`}
      ${children(fetched.value)}`;
  }
  if (fetched.error) return html`<${Problem} error=${fetched.error} retry=${fetched.reload} />`;
  return fetched.loading ? html`<${Loading} />` : "";
}

export const Figure = ({ label, value, note, tone = "" }) =>
  html`<div class="figure ${tone}"><dt>${label}</dt><dd>${value}</dd>${note && html`<dd class="note">${note}</dd>`}</div>`;

export function Tabs({ tabs, chosen, choose, label }) {
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const place = tabs.findIndex(([id]) => id === chosen);
    const [next] = tabs[(place + step + tabs.length) % tabs.length];
    choose(next);
    event.currentTarget.querySelector(`[data-tab="${next}"]`).focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} onKeyDown=${move}>
    ${tabs.map(
      ([id, name, number]) => html`<button
        role="tab"
        data-tab=${id}
        aria-selected=${String(id === chosen)}
        tabindex=${id === chosen ? 0 : -1}
        onClick=${() => choose(id)}
      >
        ${name}${known(number) && html` <span class="count">${number}</span>`}
      </button>`,
    )}
  </div>`;
}

// Start a crawl: topic, seeds, strategy, limits; or train a network that judges pages.
import { html, useState } from "./parts/html.js";
import { of, patch, post } from "./parts/api.js";
import { quoted } from "./parts/format.js";
import { Problem, Tabs } from "./parts/pieces.js";
import { go } from "./parts/route.js";
import { say } from "./parts/toasts.js";
import { Limits } from "./start/limits.js";
import { Network } from "./start/network.js";
import { Seeds, urlsIn } from "./start/seeds.js";
import { Strategy } from "./start/strategy.js";
import { Topic } from "./start/topic.js";

const EMPTY = {
  name: "",
  words: "",
  dropped: [],
  examples: [],
  queryLog: null,
  seeds: "",
  strategy: "scent",
  network: "",
  strategyOptions: {},
  options: { max_pages: 500 },
};

const TABS = [
  ["crawl", "A crawl"],
  ["network", "A network"],
];

export function Start({ query }) {
  const tab = query.tab || "crawl";
  return html`<header class="screen">
      <div><h1>Start a crawl</h1><p class="lead">Say what you want, where to begin, and how far to go.</p></div>
      <${Tabs}
        label="What to start"
        chosen=${tab}
        choose=${(next) => go("start", "", { tab: next })}
        tabs=${TABS}
      />
    </header>
    ${tab === "crawl" ? html`<${NewCrawl} />` : html`<${Network} />`}`;
}

const nameOf = (words) =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);

// What the server is sent: options under the names of docs/options.md, and uploads beside them.
export function request(draft) {
  const asked = {
    name: draft.name || nameOf(draft.words) || "crawl",
    topic: draft.words,
    seeds: urlsIn(draft.seeds),
    strategy: draft.strategy,
    strategy_options: draft.strategyOptions,
    options: { ...draft.options, ...(draft.network ? { network: draft.network } : {}) },
  };
  if (draft.examples.length) asked.examples = draft.examples;
  if (draft.queryLog) asked.query_log = draft.queryLog.text;
  return asked;
}

function NewCrawl() {
  const [draft, setDraft] = useState(EMPTY);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const change = (part) => setDraft((before) => ({ ...before, ...part }));
  const ready =
    (draft.words.trim() || draft.examples.length || draft.queryLog || draft.network) &&
    urlsIn(draft.seeds).length > 0;
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const { name } = await post("/crawls", request(draft));
      if (draft.dropped.length)
        await patch(of(name, "topic"), { words: draft.dropped.map((word) => `-${quoted(word)}`).join(" ") });
      say(`${name} has begun.`);
      go("live", name);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return html`<form class="start" onSubmit=${submit}>
    <${Topic} draft=${draft} change=${change} />
    <${Seeds} draft=${draft} change=${change} />
    <${Strategy} draft=${draft} change=${change} />
    <${Limits} draft=${draft} change=${change} />
    <section class="panel go">
      <label class="field">
        Name of the crawl <small>a folder of this name is made</small>
        <input
          value=${draft.name}
          placeholder=${nameOf(draft.words) || "solar-power"}
          onInput=${(event) => change({ name: event.target.value })}
        />
      </label>
      ${error && html`<${Problem} error=${error} />`}
      <div class="actions">
        <button class="primary" disabled=${!ready || busy}>${busy ? "Starting …" : "Start the crawl"}</button>
        ${!ready && html`<span class="muted">A topic and at least one seed are needed.</span>`}
      </div>
    </section>
  </form>`;
}

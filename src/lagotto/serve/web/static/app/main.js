// The dashboard's frame: session, navigation, the screen that the address names.
import { html, render, useEffect, useState } from "./parts/html.js";
import { get, onConnection, signIn } from "./parts/api.js";
import { useFetched } from "./parts/fetched.js";
import { Help } from "./parts/help.js";
import { Icon } from "./parts/icons.js";
import { useKeys } from "./parts/keys.js";
import { Problem, State } from "./parts/pieces.js";
import { go, to, useRoute } from "./parts/route.js";
import { recall, remember } from "./parts/stored.js";
import { applyTheme, toggleTheme } from "./parts/theme.js";
import { Toasts } from "./parts/toasts.js";
import { Crawls } from "./crawls.js";
import { Live } from "./live.js";
import { Map } from "./map.js";
import { Prospect } from "./prospect.js";
import { Read } from "./read.js";
import { Start } from "./start.js";
import { Teach } from "./teach.js";
import { Why } from "./why.js";

const OVERALL = [
  ["crawls", "All crawls", "c", Crawls],
  ["start", "Start a crawl", "n", Start],
];
const OF_A_CRAWL = [
  ["live", "Live", "l", Live],
  ["why", "Why", "w", Why],
  ["teach", "Teach", "t", Teach],
  ["prospect", "Prospect", "p", Prospect],
  ["read", "Search and read", "s", Read],
  ["map", "Map", "m", Map],
];
const SCREENS = Object.fromEntries([...OVERALL, ...OF_A_CRAWL].map(([id, name, , screen]) => [id, { name, screen }]));

const EVERY = 5000;

function Switcher({ crawls, crawl, screen }) {
  if (!crawls.length) return html`<p class="muted hint">No crawl yet.</p>`;
  return html`<label class="switcher">
    <span class="unseen">Crawl</span>
    <select
      value=${crawl}
      onChange=${(event) => go(OF_A_CRAWL.some(([id]) => id === screen) ? screen : "live", event.target.value)}
    >
      ${!crawl && html`<option value="">Choose a crawl</option>`}
      ${crawls.map((row) => html`<option key=${row.name} value=${row.name}>${row.name}</option>`)}
    </select>
  </label>`;
}

function Navigation({ route, crawl, crawls }) {
  const link = ([id, name], of) => html`<li key=${id}>
    <a href=${to(id, of)} aria-current=${route.screen === id ? "page" : undefined}>
      <${Icon} name=${id} />
      <span>${name}</span>
    </a>
  </li>`;
  const row = crawls.find(({ name }) => name === crawl);
  return html`<nav class="sidebar" aria-label="Screens">
    <a class="brand" href=${to("crawls")}><img src="/app/icon.svg" alt="" width="28" height="28" /> Lagotto</a>
    <ul>${OVERALL.map((entry) => link(entry, ""))}</ul>
    <div class="of-crawl">
      <${Switcher} crawls=${crawls} crawl=${crawl} screen=${route.screen} />
      ${row && html`<p class="hint"><${State} of=${row.state} /></p>`}
      ${crawl && html`<ul>${OF_A_CRAWL.map((entry) => link(entry, crawl))}</ul>`}
    </div>
  </nav>`;
}

function Banner({ connection }) {
  if (connection.reachable) return "";
  return html`<div class="banner" role="alert">
    <b>The server does not answer.</b> What you see is the last that it told; this page connects again by itself. If
    it was stopped, start it with <code>lagotto serve</code>
    .
  </div>`;
}

function Frame({ connection }) {
  const route = useRoute();
  const listed = useFetched("/crawls", { every: EVERY });
  const [help, setHelp] = useState(false);
  const crawls = listed.value || [];
  const last = recall("crawl", "");
  const crawl = route.crawl || (crawls.some(({ name }) => name === last) ? last : "");
  useEffect(() => {
    if (route.crawl) remember("crawl", route.crawl);
  }, [route.crawl]);

  const { name, screen: Screen } = SCREENS[route.screen] || SCREENS.crawls;
  useEffect(() => {
    document.title = `${route.crawl ? `${route.crawl}: ` : ""}${name} · Lagotto`;
  }, [name, route.crawl]);

  useKeys("Everywhere", [
    ["?", "Show these shortcuts", () => setHelp(true)],
    ["d", "Dark or light", toggleTheme],
    ...OVERALL.map(([id, title, key]) => [`g ${key}`, title, () => go(id)]),
    ...(crawl ? OF_A_CRAWL.map(([id, title, key]) => [`g ${key}`, title, () => go(id, crawl)]) : []),
  ]);

  return html`<a
      class="skip"
      href="#main"
      onClick=${(event) => {
        event.preventDefault();
        document.getElementById("main").focus();
      }}
    >
      Skip to the screen
    </a>
    <${Navigation} route=${route} crawl=${crawl} crawls=${crawls} />
    <div class="tools">
      <button class="quiet" onClick=${toggleTheme} aria-label="Dark or light" title="Dark or light (d)">
        <${Icon} name="theme" />
      </button>
      <button
        class="quiet"
        onClick=${() => setHelp(true)}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
      >
        <${Icon} name="keys" />
      </button>
    </div>
    <main id="main" tabindex="-1">
      <${Banner} connection=${connection} />
      <${Screen}
        key=${`${route.screen} ${route.crawl}`}
        crawl=${route.crawl}
        query=${route.query}
        crawls=${listed}
        row=${crawls.find((one) => one.name === route.crawl)}
      />
    </main>
    ${help && html`<${Help} close=${() => setHelp(false)} />`}
    <${Toasts} />`;
}

function SignIn({ done }) {
  const [token, setToken] = useState("");
  const [error, setError] = useState(null);
  const submit = async (event) => {
    event.preventDefault();
    try {
      await signIn(token.trim());
      done();
    } catch (problem) {
      setError(problem);
    }
  };
  return html`<main class="sign-in" id="main">
    <form class="panel" onSubmit=${submit}>
      <h1>Lagotto</h1>
      <p>This server wants its token. <code>lagotto serve</code> prints it, in the address to open.</p>
      <label class="field">
        Token <input
          type="password"
          autocomplete="current-password"
          required
          value=${token}
          onInput=${(event) => setToken(event.target.value)}
        />
      </label>
      ${error && html`<${Problem} error=${error} />`}
      <button class="primary">Open</button>
    </form>
  </main>`;
}

function App() {
  const [connection, setConnection] = useState({ reachable: true, signedIn: true });
  useEffect(() => onConnection(setConnection), []);
  if (!connection.signedIn) return html`<${SignIn} done=${() => get("/crawls")} />`;
  return html`<${Frame} connection=${connection} />`;
}

async function main() {
  applyTheme();
  const token = /^#token=(.+)$/.exec(location.hash);
  if (token) {
    history.replaceState(null, "", "#/crawls");
    await signIn(decodeURIComponent(token[1])).catch(() => {});
  }
  const place = document.getElementById("app");
  place.textContent = "";
  render(html`<${App} />`, place);
}

main();

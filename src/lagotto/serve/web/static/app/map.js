// Map: hosts or subtopics of the harvest as a graph, with clusters, bridges, and the same as a list.
import { html, useEffect, useMemo, useRef, useState } from "./parts/html.js";
import { of } from "./parts/api.js";
import { useFetched } from "./parts/fetched.js";
import { count, percent, plural } from "./parts/format.js";
import { useKeys } from "./parts/keys.js";
import { Answer, Empty, Tabs } from "./parts/pieces.js";
import { go, to } from "./parts/route.js";
import { onTheme } from "./parts/theme.js";
import { draw, hasWebGl, TONES } from "./map/drawing.js";

const SHOWN_CLUSTERS = 8;

export function Map({ crawl, query }) {
  const by = query.by || "host";
  const found = useFetched(of(crawl, "map", { by }));
  return html`<header class="screen">
      <div>
        <h1>Map</h1>
        <p class="lead">
          Which ${by === "host" ? "hosts" : "subtopics"} of the harvest belong together, and which connect them.
        </p>
      </div>
      <${Tabs}
        label="Nodes of the map"
        chosen=${by}
        choose=${(next) => go("map", crawl, { by: next })}
        tabs=${[
          ["host", "Hosts"],
          ["subtopic", "Subtopics"],
        ]}
      />
    </header>
    <${Answer} of=${found}>
      ${(graph) =>
        graph.nodes.length > 1
          ? html`<${Graph} key=${by} crawl=${crawl} by=${by} graph=${graph} />`
          : html`<${Empty} title="Nothing to draw yet">
            <p>The map needs at least two ${by === "host" ? "hosts with pages on topic" : "subtopics"}.</p>
          </${Empty}>`}
    </${Answer}>`;
}

function Graph({ crawl, by, graph }) {
  const box = useRef(null);
  const drawing = useRef(null);
  const [chosen, setChosen] = useState("");
  const [cluster, setCluster] = useState(null);
  const [found, setFound] = useState({ clusters: [], bridges: [], done: false });
  const [error, setError] = useState(() =>
    hasWebGl() ? "" : "This browser has no WebGL, so the map is shown as a list.",
  );
  const byId = useMemo(() => new globalThis.Map(graph.nodes.map((node) => [String(node.id), node])), [graph]);

  useEffect(() => {
    if (error) return undefined;
    let gone = false;
    const begin = () => {
      drawing.current?.end();
      drawing.current = null;
      draw(box.current, graph, {
        settled: (more) => !gone && setFound((before) => ({ ...before, ...more })),
        choose: setChosen,
      }).then(
        (made) => (gone ? made.end() : (drawing.current = made)),
        (problem) => !gone && setError(problem.message),
      );
    };
    begin();
    const forget = onTheme(begin);
    return () => {
      gone = true;
      forget();
      drawing.current?.end();
      drawing.current = null;
    };
  }, [graph, error]);
  useEffect(() => {
    drawing.current?.choose(chosen);
    if (chosen) setCluster(null);
  }, [chosen]);
  const showCluster = (place) => {
    const next = place === cluster ? null : place;
    setCluster(next);
    setChosen("");
    drawing.current?.showCluster(next);
  };
  useKeys("Map", [
    ["+", "Closer", () => drawing.current?.zoomIn()],
    ["-", "Farther", () => drawing.current?.zoomOut()],
    ["0", "The whole map", () => drawing.current?.whole()],
    ["ArrowLeft", "Move left", () => drawing.current?.pan(-0.1, 0)],
    ["ArrowRight", "Move right", () => drawing.current?.pan(0.1, 0)],
    ["ArrowUp", "Move up", () => drawing.current?.pan(0, 0.1)],
    ["ArrowDown", "Move down", () => drawing.current?.pan(0, -0.1)],
  ]);

  const label = (id) => byId.get(id)?.label ?? id;
  const sum = `${plural(graph.nodes.length, by === "host" ? "host" : "subtopic")} and ${plural(graph.edges.length, "connection")}${found.clusters.length ? `, in ${plural(found.clusters.length, "cluster")}` : ""}.`;
  return html`<div class="columns map-columns">
    <section class="panel map-panel">
      ${
        error
          ? html`<p class="notice">${error}</p>`
          : html`<div class="map-box" ref=${box} role="img" aria-label=${`${sum} The list beside it says the same.`}></div>
            <div class="map-tools" role="group" aria-label="Look at the map">
              <button aria-label="Closer" onClick=${() => drawing.current?.zoomIn()}>+</button>
              <button aria-label="Farther" onClick=${() => drawing.current?.zoomOut()}>−</button>
              <button onClick=${() => drawing.current?.whole()}>Whole</button>
            </div>`
      }
      <p class="muted" role="status">
        ${sum} ${found.done || error ? "A larger dot has more pages; ◆ connects clusters. Each dot's strongest connections are drawn." : "Placing the dots …"}
      </p>
    </section>
    <aside class="stack" aria-label="The map as a list">
      <section class="panel">
        <${Find} nodes=${graph.nodes} label=${label} choose=${setChosen} />
        ${
          chosen &&
          html`<${Node}
            crawl=${crawl}
            by=${by}
            node=${byId.get(chosen)}
            near=${neighbours(graph, chosen)}
            label=${label}
            choose=${setChosen}
          />`
        }
      </section>
      ${
        found.bridges.length > 0 &&
        html`<section class="panel">
          <h2>Bridges</h2>
          <p class="muted">They connect clusters that are else apart.</p>
          <ul class="nodes">
            ${found.bridges.map((id) => html`<li key=${id}><button class="link" onClick=${() => setChosen(id)}>◆ <bdi>${label(id)}</bdi></button></li>`)}
          </ul>
        </section>`
      }
      ${
        found.clusters.length > 0 &&
        html`<section class="panel">
          <h2>Clusters</h2>
          <ul class="nodes">
            ${found.clusters.slice(0, SHOWN_CLUSTERS).map(
              (ids, place) => html`<li key=${place}>
                <button class="cluster" aria-pressed=${String(cluster === place)} onClick=${() => showCluster(place)}>
                  <span class="dot fill-${TONES[Math.min(place, TONES.length - 1)]}" aria-hidden="true"></span>
                  <b>${place + 1}</b> <bdi>${ids.slice(0, 3).map(label).join(", ")}</bdi> <span class="count">
                    ${count(ids.length)}
                  </span>
                </button>
              </li>`,
            )}
          </ul>
          ${found.clusters.length > SHOWN_CLUSTERS && html`<p class="muted">and ${plural(found.clusters.length - SHOWN_CLUSTERS, "smaller cluster")}</p>`}
        </section>`
      }
      <${Largest} graph=${graph} choose=${setChosen} />
    </aside>
  </div>`;
}

const NAMED = 3000;

function Find({ nodes, label, choose }) {
  const [text, setText] = useState("");
  const find = (event) => {
    event.preventDefault();
    choose(String(nodes.find(({ id }) => label(String(id)) === text.trim())?.id ?? ""));
  };
  return html`<form onSubmit=${find} onChange=${find}>
    <label class="field">
      Find <input
        list="map-names"
        placeholder="a name"
        value=${text}
        onInput=${(event) => setText(event.target.value)}
      />
    </label>
    <datalist id="map-names">
      ${nodes.slice(0, NAMED).map(({ id }) => html`<option key=${id} value=${label(String(id))} />`)}
    </datalist>
  </form>`;
}

function neighbours(graph, id) {
  const near = new globalThis.Map();
  for (const { source, target, links } of graph.edges) {
    const other = String(source) === id ? String(target) : String(target) === id ? String(source) : null;
    if (other && other !== id) near.set(other, (near.get(other) || 0) + links);
  }
  return [...near].sort((a, b) => b[1] - a[1]);
}

function Node({ crawl, by, node, near, label, choose }) {
  if (!node) return "";
  return html`<h2><bdi>${node.label}</bdi></h2>
    <p>
      ${plural(node.pages, "page")}
      ${node.relevant !== undefined && node.relevant !== null && `, ${count(node.relevant)} on topic (${percent(node.pages ? node.relevant / node.pages : 0)})`}
    </p>
    <p>
      <a
        href=${by === "host" ? to("prospect", crawl, { tab: "links", host: node.id }) : to("read", crawl, { subtopic: node.id })}
      >
        ${by === "host" ? "Its next links" : "Its pages"}
      </a>
    </p>
    <h3>Connected with ${count(near.length)}</h3>
    <ul class="nodes">
      ${near.slice(0, 12).map(
        ([id, weight]) => html`<li key=${id}>
          <button class="link" onClick=${() => choose(id)}><bdi>${label(id)}</bdi></button> <span class="count">
            ${count(weight)}
          </span>
        </li>`,
      )}
    </ul>`;
}

function Largest({ graph, choose }) {
  const rows = [...graph.nodes].sort((a, b) => (b.pages || 0) - (a.pages || 0)).slice(0, 12);
  return html`<section class="panel">
    <h2>Most pages</h2>
    <ul class="nodes">
      ${rows.map(
        (node) => html`<li key=${node.id}>
          <button class="link" onClick=${() => choose(String(node.id))}><bdi>${node.label}</bdi></button> <span
            class="count"
          >
            ${count(node.pages)}
          </span>
        </li>`,
      )}
    </ul>
  </section>`;
}

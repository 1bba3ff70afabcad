// The graph on the screen: sigma draws it with WebGL, the worker moves its nodes.
import { token } from "../parts/theme.js";

const SCRIPTS = ["/vendor/graphology.js", "/vendor/sigma.js"];
export const TONES = [
  "cluster-1",
  "cluster-2",
  "cluster-3",
  "cluster-4",
  "cluster-5",
  "cluster-6",
  "cluster-7",
  "cluster-8",
];

function load(source) {
  return new Promise((done, fail) => {
    if (document.querySelector(`script[src="${source}"]`)) return done();
    const script = document.createElement("script");
    script.src = source;
    script.onload = done;
    script.onerror = () => fail(new Error("A part of the map could not be loaded."));
    return document.head.append(script);
  });
}

export function hasWebGl() {
  const canvas = document.createElement("canvas");
  return Boolean(canvas.getContext("webgl2") || canvas.getContext("webgl"));
}

const STRONGEST = 5;

// The connections that matter: each node's strongest ones, beside what the sizes of both ends let expect.
// Without this a dense graph is a ball of wool in which nobody sees a cluster.
export function backbone(edges) {
  const sums = new Map();
  for (const { source, target, links } of edges) {
    for (const end of [source, target]) sums.set(end, (sums.get(end) || 0) + links);
  }
  const weighed = edges
    .map(({ source, target, links }) => ({
      source,
      target,
      weight: links / Math.sqrt(sums.get(source) * sums.get(target)),
    }))
    .sort((a, b) => b.weight - a.weight);
  const taken = new Map();
  return weighed.filter(({ source, target }) => {
    const [ofSource, ofTarget] = [taken.get(source) || 0, taken.get(target) || 0];
    if (ofSource >= STRONGEST && ofTarget >= STRONGEST) return false;
    taken.set(source, ofSource + 1);
    taken.set(target, ofTarget + 1);
    return true;
  });
}

// Larger for more pages, smaller in a crowd.
const sizeOf = (node, crowd) =>
  (3 + Math.sqrt(Math.min(node.pages, 400))) * Math.min(1, Math.max(0.3, Math.sqrt(200 / crowd)));

// Draws `found` ({nodes, edges}) into `box`. Calls `settled` with clusters and bridges, `choose` with a node's id or "".
export async function draw(box, found, { settled, choose }) {
  for (const source of SCRIPTS) await load(source);
  const { UndirectedGraph } = globalThis.graphology;
  const graph = new UndirectedGraph();
  const nodes = found.nodes.map((node) => ({ ...node, id: String(node.id), size: sizeOf(node, found.nodes.length) }));
  nodes.forEach((node, place) =>
    graph.addNode(node.id, { x: Math.cos(place), y: Math.sin(place), size: node.size, label: node.label }),
  );
  const edges = backbone(
    found.edges.map(({ source, target, links }) => ({ source: String(source), target: String(target), links })),
  );
  const strongest = edges[0]?.weight || 1;
  for (const { source, target, weight } of edges) {
    if (source !== target && graph.hasNode(source) && graph.hasNode(target))
      graph.mergeEdge(source, target, { size: 0.5 + (2.5 * weight) / strongest });
  }

  const faint = token("faint");
  const look = { chosen: "", near: new Set(), cluster: null };
  const renderer = new globalThis.Sigma(graph, box, {
    allowInvalidContainer: true,
    labelFont: token("sans"),
    labelSize: 12,
    labelWeight: "500",
    labelColor: { color: token("ink") },
    labelRenderedSizeThreshold: nodes.length > 300 ? 8 : 5,
    labelDensity: 0.4,
    stagePadding: 80,
    hideEdgesOnMove: nodes.length > 1000,
    defaultEdgeColor: token("edge"),
    zIndex: true,
    defaultDrawNodeHover: hover,
    nodeReducer: (id, node) => {
      if (look.chosen && id !== look.chosen && !look.near.has(id))
        return { ...node, color: faint, label: "", zIndex: 0 };
      if (look.cluster !== null && node.cluster !== look.cluster)
        return { ...node, color: faint, label: "", zIndex: 0 };
      return id === look.chosen ? { ...node, highlighted: true, zIndex: 2 } : node;
    },
    edgeReducer: (id, edge) => {
      if (look.chosen && !graph.extremities(id).includes(look.chosen)) return { ...edge, hidden: true };
      if (
        look.cluster !== null &&
        graph.extremities(id).some((end) => graph.getNodeAttribute(end, "cluster") !== look.cluster)
      )
        return { ...edge, hidden: true };
      return edge;
    },
  });
  renderer.on("clickNode", ({ node }) => choose(node));
  renderer.on("clickStage", () => choose(""));

  const worker = new Worker("/app/map/layout.js");
  worker.onmessage = ({ data }) => {
    graph.updateEachNodeAttributes((id, node) => ({ ...node, x: data.places[id][0], y: data.places[id][1] }), {
      attributes: ["x", "y"],
    });
    if (data.clusters) paint(graph, data.clusters, data.bridges, settled);
    if (data.done) settled({ done: true });
  };
  worker.postMessage({ nodes: nodes.map(({ id, size }) => ({ id, size })), edges });

  return {
    choose(id) {
      look.chosen = graph.hasNode(id) ? id : "";
      look.near = new Set(look.chosen ? graph.neighbors(look.chosen) : []);
      look.cluster = null;
      if (look.chosen) {
        const { x, y } = renderer.getNodeDisplayData(look.chosen);
        renderer.getCamera().animate({ x, y, ratio: Math.min(renderer.getCamera().ratio, 0.6) }, { duration: 300 });
      }
      renderer.refresh();
    },
    showCluster(cluster) {
      look.cluster = cluster;
      look.chosen = "";
      renderer.refresh();
    },
    neighbours: (id) => graph.neighbors(id),
    zoomIn: () => renderer.getCamera().animatedZoom({ duration: 200 }),
    zoomOut: () => renderer.getCamera().animatedUnzoom({ duration: 200 }),
    whole: () => renderer.getCamera().animatedReset({ duration: 200 }),
    pan(dx, dy) {
      const camera = renderer.getCamera();
      camera.setState({ x: camera.x + dx * camera.ratio, y: camera.y + dy * camera.ratio });
    },
    end() {
      worker.terminate();
      renderer.kill();
    },
  };
}

// Few enough to be read: a tenth of the nodes, within bounds.
const bridgesAmong = (nodes) => Math.min(12, Math.max(3, Math.round(nodes / 10)));

// Colour the nodes by cluster, largest first, and label the bridges.
function paint(graph, clusters, bridges, settled) {
  const sizes = new Map();
  Object.values(clusters).forEach((cluster) => sizes.set(cluster, (sizes.get(cluster) || 0) + 1));
  const order = new Map([...sizes].sort((a, b) => b[1] - a[1]).map(([cluster], place) => [cluster, place]));
  const colours = TONES.map(token);
  graph.updateEachNodeAttributes((id, node) => {
    const cluster = order.get(clusters[id]) ?? 0;
    return { ...node, cluster, color: colours[Math.min(cluster, colours.length - 1)] };
  });
  const links = (id) => new Set(graph.neighbors(id).map((near) => graph.getNodeAttribute(near, "cluster"))).size;
  const best = Object.entries(bridges)
    .filter(([id, value]) => value > 0 && links(id) > 1)
    .sort((a, b) => b[1] - a[1])
    .slice(0, bridgesAmong(graph.order))
    .map(([id]) => id);
  best.forEach((id) =>
    graph.mergeNodeAttributes(id, { forceLabel: true, label: `◆ ${graph.getNodeAttribute(id, "label")}` }),
  );
  const members = [...order.keys()].map(() => []);
  graph.forEachNode((id, { cluster, size }) => members[cluster]?.push([id, size]));
  settled({ clusters: members.map((ids) => ids.sort((a, b) => b[1] - a[1]).map(([id]) => id)), bridges: best });
}

// The label of a node under the pointer, in the colours of the theme.
function hover(context, node, settings) {
  const text = node.label || "";
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
  const wide = context.measureText(text).width;
  context.fillStyle = token("surface");
  context.strokeStyle = token("line-strong");
  context.beginPath();
  context.roundRect(node.x + node.size + 2, node.y - 11, wide + 12, 22, 5);
  context.fill();
  context.stroke();
  context.beginPath();
  context.arc(node.x, node.y, node.size + 2, 0, 2 * Math.PI);
  context.strokeStyle = token("ink");
  context.lineWidth = 2;
  context.stroke();
  context.fillStyle = token("ink");
  context.fillText(text, node.x + node.size + 8, node.y + 4);
}

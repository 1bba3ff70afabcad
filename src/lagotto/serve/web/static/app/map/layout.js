// A worker: finds clusters and bridges of a graph, and places its nodes. Posts positions while they settle.
/* global graphology, graphologyLibrary */
// The library also reads XML, and looks for the browser's parser as it loads; a worker has none.
self.DOMParser = class {};
self.Document = class {};
importScripts("/vendor/graphology.js", "/vendor/graphology-library.js");

const ROUNDS = 14;
const STEPS = 30;
const LARGE = 1000;
// Betweenness costs nodes times edges; beyond this it would take longer than anyone waits.
const BRIDGES_UP_TO = 50_000_000;

function build({ nodes, edges }) {
  const graph = new graphology.UndirectedGraph();
  nodes.forEach((node, place) => {
    // A fixed spiral: the same graph looks the same each time.
    const angle = place * 2.399963;
    const far = 10 * Math.sqrt(place + 1);
    graph.addNode(node.id, { x: far * Math.cos(angle), y: far * Math.sin(angle), size: node.size });
  });
  for (const { source, target, weight } of edges) {
    if (source !== target && graph.hasNode(source) && graph.hasNode(target)) {
      graph.updateEdge(source, target, (kept) => ({ weight: (kept.weight || 0) + (weight || 1) }));
    }
  }
  return graph;
}

const places = (graph) => Object.fromEntries(graph.mapNodes((id, { x, y }) => [id, [x, y]]));

// A small generator with a fixed seed, so that clusters come out the same each time.
function draws() {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

// Nodes begin beside their cluster, and connections inside of one pull more: clusters are seen as such.
function pullTogether(graph, clusters) {
  const mean = graph.size ? graph.reduceEdges((sum, _, { weight }) => sum + weight, 0) / graph.size : 1;
  graph.forEachEdge((edge, { weight }, source, target) => {
    graph.setEdgeAttribute(edge, "pull", (weight / mean) * (clusters[source] === clusters[target] ? 3 : 0.4));
  });
  const all = [...new Set(Object.values(clusters))];
  const far = 14 * Math.sqrt(graph.order);
  graph.updateEachNodeAttributes((id, node) => {
    const angle = (2 * Math.PI * all.indexOf(clusters[id])) / (all.length || 1);
    return { ...node, x: node.x / 4 + far * Math.cos(angle), y: node.y / 4 + far * Math.sin(angle) };
  });
}

onmessage = ({ data }) => {
  const graph = build(data);
  const { communitiesLouvain, metrics, layoutForceAtlas2, layoutNoverlap } = graphologyLibrary;
  const clusters = graph.size ? communitiesLouvain(graph, { getEdgeWeight: "weight", rng: draws() }) : {};
  const bridges =
    graph.order * graph.size <= BRIDGES_UP_TO && graph.size
      ? metrics.centrality.betweenness(graph, { getEdgeWeight: null })
      : {};
  pullTogether(graph, clusters);
  postMessage({ clusters, bridges, places: places(graph) });
  const settings = {
    ...layoutForceAtlas2.inferSettings(graph),
    barnesHutOptimize: graph.order > 500,
    linLogMode: true,
    adjustSizes: false,
    scalingRatio: 6,
    gravity: 0.6,
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    layoutForceAtlas2.assign(graph, { iterations: STEPS, settings, getEdgeWeight: "pull" });
    // A large graph takes long to draw: it is shown now and then only.
    if (graph.order < LARGE || round % 4 === 3) postMessage({ places: places(graph) });
  }
  layoutNoverlap.assign(graph, { maxIterations: 60, settings: { margin: 2, ratio: 1.1 } });
  postMessage({ places: places(graph), done: true });
};

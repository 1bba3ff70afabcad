// The server's API. Answers are JSON; errors are one sentence.

export class ApiError extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

const listeners = new Set();
let reachable = true;
let signedIn = true;

// Tell a listener, now and on each change, whether the server answers and knows us.
export function onConnection(listener) {
  listeners.add(listener);
  listener({ reachable, signedIn });
  return () => listeners.delete(listener);
}

function connection(answers, knows) {
  if (answers === reachable && knows === signedIn) return;
  reachable = answers;
  signedIn = knows;
  listeners.forEach((listener) => listener({ reachable, signedIn }));
}

const SILENT = "The server does not answer. Is `lagotto serve` still running?";

async function sentenceOf(response) {
  try {
    const { detail } = await response.json();
    if (typeof detail === "string" && detail) return detail;
  } catch {
    // Not JSON: a proxy's page, say. The status has to do.
  }
  return `The server answered with status ${response.status}.`;
}

async function call(method, path, body, signal) {
  let response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    connection(false, signedIn);
    throw new ApiError(SILENT, 0);
  }
  connection(true, response.status === 401 ? false : signedIn || path === "/session");
  if (!response.ok) throw new ApiError(await sentenceOf(response), response.status);
  return response.status === 204 ? null : response.json();
}

export const get = (path, signal) => call("GET", path, undefined, signal);
export const post = (path, body = {}) => call("POST", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path) => call("DELETE", path);

// Path of a crawl's resource, with a query: of("truffles", "pages", {limit: 50}).
export function of(crawl, resource = "", query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const search = new URLSearchParams(given.flatMap(([key, value]) => [value].flat().map((one) => [key, one])));
  const path = `/crawls/${encodeURIComponent(crawl)}${resource ? `/${resource}` : ""}`;
  return given.length ? `${path}?${search}` : path;
}

// Open a session with the token that the start URL carries in its fragment, where no log sees it.
export async function signIn(token) {
  await post("/session", { token });
}

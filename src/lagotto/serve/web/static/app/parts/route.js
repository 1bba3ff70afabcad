// Which screen is shown: #/crawls, #/start, #/crawl/NAME/live?key=value.
import { useLayoutEffect, useState } from "./html.js";

export function read(hash = location.hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const parts = path.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const query = Object.fromEntries(new URLSearchParams(search));
  if (parts[0] === "crawl" && parts[1]) return { screen: parts[2] || "live", crawl: parts[1], query };
  return { screen: parts[0] || "crawls", crawl: "", query };
}

export function to(screen, crawl = "", query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const search = given.length ? `?${new URLSearchParams(given)}` : "";
  return crawl ? `#/crawl/${encodeURIComponent(crawl)}/${screen}${search}` : `#/${screen}${search}`;
}

export const go = (screen, crawl, query) => {
  location.hash = to(screen, crawl, query);
};

export function useRoute() {
  const [route, setRoute] = useState(read());
  useLayoutEffect(() => {
    const change = () => setRoute(read());
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  return route;
}

// Marks: say that pages are on topic or off it, or take that back (null), and learn what it changed.
import { of, post } from "./api.js";
import { ended } from "./job.js";

// what: {urls} or {host}. Returns {marked, flipped: {url: relevant}, relevant_before, relevant_now, running}.
export async function mark(crawl, what, on) {
  return (await ended(await post(of(crawl, "marks"), { ...what, on }))).result;
}

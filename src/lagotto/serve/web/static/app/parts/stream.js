// A crawl's events as they happen. The stream resumes after the last event seen, however it was cut.
import { useEffect, useRef, useState } from "./html.js";
import { of } from "./api.js";

const KINDS = ["page", "deferred", "expanded", "marked", "judged", "command", "revisited"];
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
const GATHER = 400;

// Calls `take` with lists of events, at most some times a second, so that a fast crawl does not stall the screen.
export function useEvents(crawl, take) {
  const [live, setLive] = useState(false);
  const taker = useRef(take);
  taker.current = take;

  useEffect(() => {
    let source = null;
    let last = null;
    let wait = FIRST_WAIT;
    let timer = 0;
    let gathered = [];

    const open = () => {
      source = new EventSource(`/api${of(crawl, "events", { after: last })}`);
      source.onopen = () => {
        wait = FIRST_WAIT;
        setLive(true);
      };
      source.onerror = () => {
        setLive(false);
        // The browser tries again by itself, unless the server answered with an error.
        if (source.readyState === EventSource.CLOSED) {
          timer = setTimeout(open, wait);
          wait = Math.min(2 * wait, LONGEST_WAIT);
        }
      };
      for (const kind of KINDS) source.addEventListener(kind, (message) => gather(kind, message));
    };
    const gather = (kind, message) => {
      last = Number(message.lastEventId);
      gathered.push({ ...JSON.parse(message.data), kind });
    };
    const hand = setInterval(() => {
      if (!gathered.length) return;
      const events = gathered;
      gathered = [];
      taker.current(events);
    }, GATHER);

    open();
    return () => {
      source.close();
      clearTimeout(timer);
      clearInterval(hand);
    };
  }, [crawl]);

  return live;
}

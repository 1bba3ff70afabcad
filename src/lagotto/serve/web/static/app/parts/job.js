// Jobs of the server: marks, exports, training. They are followed until they end.
import { useEffect, useRef, useState } from "./html.js";
import { ApiError, get } from "./api.js";

const EVERY = 500;
const ENDED = new Set(["done", "failed", "stopped"]);

const later = (time) => new Promise((done) => setTimeout(done, time));

// Wait until a job has ended; `step` is told how it stands. Raises what went wrong.
export async function ended(job, step = () => true) {
  let now = job;
  while (step(now) !== false && !ENDED.has(now.state)) {
    await later(EVERY);
    now = await get(`/jobs/${encodeURIComponent(job.id)}`);
  }
  if (now.state === "failed") throw new ApiError(now.problem, 0);
  return now;
}

export function useJob() {
  const [job, setJob] = useState({ state: "" });
  const gone = useRef(false);
  useEffect(
    () => () => {
      gone.current = true;
    },
    [],
  );
  const begin = async (start) => {
    setJob({ state: "running" });
    try {
      await ended(await start(), (now) => {
        if (!gone.current) setJob(now);
        return !gone.current;
      });
    } catch (error) {
      if (!gone.current) setJob((before) => ({ ...before, state: "failed", error }));
    }
  };
  return [job, begin];
}

// What the server says about a path, kept fresh; the last answer stays on the screen while the next one loads.
import { useCallback, useEffect, useRef, useState } from "./html.js";
import { get } from "./api.js";

export function useFetched(path, { every = 0 } = {}) {
  const [state, setState] = useState({ value: null, error: null, loading: true, path });
  const [round, setRound] = useState(0);
  const shown = useRef(path);
  const reload = useCallback(() => setRound((number) => number + 1), []);

  useEffect(() => {
    if (!path) {
      setState({ value: null, error: null, loading: false, path });
      return undefined;
    }
    const controller = new AbortController();
    let timer = 0;
    const changed = shown.current !== path;
    shown.current = path;
    setState((before) => ({ ...before, loading: true, ...(changed ? { error: null } : {}) }));
    const again = () => {
      if (every) timer = setTimeout(ask, every);
    };
    async function ask() {
      if (document.hidden) return again();
      try {
        const value = await get(path, controller.signal);
        setState({ value, error: null, loading: false, path });
      } catch (error) {
        if (error.name === "AbortError") return undefined;
        setState((before) => ({ value: before.path === path ? before.value : null, error, loading: false, path }));
      }
      return again();
    }
    ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [path, every, round]);

  return { ...state, reload };
}

// A value that follows another one once it has been still for a while.
export function useSettled(value, wait = 350) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return settled;
}

// Short messages about what an action did, also read out by screen readers.
import { html, useEffect, useState } from "./html.js";

const listeners = new Set();
let last = 0;

const SHOWN = 7000;

export function say(text, kind = "good") {
  last += 1;
  listeners.forEach((listener) => listener({ id: last, text, kind }));
}

// Run an action and tell what went wrong, if so. Returns null then.
export async function attempt(action, done) {
  try {
    const result = await action();
    if (done) say(typeof done === "function" ? done(result) : done);
    return result ?? {};
  } catch (error) {
    say(error.message, "bad");
    return null;
  }
}

export function Toasts() {
  const [toasts, setToasts] = useState([]);
  useEffect(() => {
    const drop = (id) => setToasts((all) => all.filter((toast) => toast.id !== id));
    const add = (toast) => {
      setToasts((all) => [...all.slice(-3), { ...toast, drop: () => drop(toast.id) }]);
      if (toast.kind !== "bad") setTimeout(() => drop(toast.id), SHOWN);
    };
    listeners.add(add);
    return () => listeners.delete(add);
  }, []);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.map(
      (toast) => html`<div class="toast ${toast.kind}" key=${toast.id}>
        <span aria-hidden="true">${toast.kind === "bad" ? "!" : "✓"}</span>
        <p>${toast.text}</p>
        <button class="quiet small" aria-label="Close message" onClick=${toast.drop}>×</button>
      </div>`,
    )}
  </div>`;
}

// Keyboard shortcuts: single keys and sequences such as "g l". They rest while something is typed or a dialog is open.
import { useLayoutEffect, useRef } from "./html.js";
import { recall } from "./stored.js";

const bound = new Set();
const PATIENCE = 1200;
let begun = "";
let begunAt = 0;

const typing = (element) =>
  element.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");

function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (typing(event.target) || document.querySelector("dialog[open]")) return;
  if (!recall("shortcuts", true) && event.key !== "?") return;
  const sequence = begun && event.timeStamp - begunAt < PATIENCE ? `${begun} ${event.key}` : event.key;
  begun = "";
  const keys = [...bound].flatMap((group) => group.current.keys);
  const hit = keys.findLast(([key]) => key === sequence);
  if (hit) {
    event.preventDefault();
    hit[2]();
  } else if (keys.some(([key]) => key.startsWith(`${sequence} `))) {
    begun = sequence;
    begunAt = event.timeStamp;
  }
}

addEventListener("keydown", press);

// Bind [key, what it does, action] while the component is on the screen.
export function useKeys(title, keys) {
  const group = useRef(null);
  group.current = { title, keys };
  // Bound before the screen is painted, so that no key is lost.
  useLayoutEffect(() => {
    bound.add(group);
    return () => bound.delete(group);
  }, []);
}

export const boundKeys = () => [...bound].map((group) => group.current).filter(({ keys }) => keys.length);

// Light or dark: as the system says, unless the user chose.
import { recall, remember } from "./stored.js";

const listeners = new Set();
const system = matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => (recall("theme", "") || (system.matches ? "dark" : "light")) === "dark";

export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  listeners.forEach((listener) => listener());
}

export function toggleTheme() {
  remember("theme", isDark() ? "light" : "dark");
  applyTheme();
}

export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// A colour of the style sheet, for what is drawn on a canvas.
export const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

system.addEventListener("change", applyTheme);

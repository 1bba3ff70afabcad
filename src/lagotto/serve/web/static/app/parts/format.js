// Numbers, times and URLs as people read them.

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

const NONE = "–";

export const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);

export const count = (value) => (known(value) ? whole.format(value) : NONE);

export const short = (value) =>
  known(value) ? (Math.abs(value) < 10000 ? whole.format(value) : compact.format(value)) : NONE;

export const percent = (share) =>
  known(share) ? `${share > 0 && share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share)} %` : NONE;

export const fixed = (value, digits = 2) =>
  known(value) ? value.toFixed(digits).replace(/^-(0\.?0*$)?/, (_, zero) => zero || "−") : NONE;

export const signed = (value, digits = 3) =>
  known(value) ? `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}` : NONE;

export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

// A word as it is typed: phrases stand in quotes.
export const quoted = (word) => (/\s/.test(word) ? `"${word}"` : word);

export function bytes(size) {
  if (!known(size)) return NONE;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let place = 0;
  while (size >= 1000 && place < units.length - 1) {
    size /= 1000;
    place += 1;
  }
  return `${size >= 100 || place === 0 ? Math.round(size) : size.toFixed(1)} ${units[place]}`;
}

export function duration(seconds) {
  if (!known(seconds)) return NONE;
  if (seconds < 1) return "under a second";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
  return `${Math.round(seconds / 86400)} days`;
}

export const now = () => Date.now() / 1000;

// Epoch seconds; some times come as ISO 8601.
const seconds = (at) => (typeof at === "string" ? Date.parse(at) / 1000 : at);

export function ago(at) {
  if (!known(seconds(at))) return NONE;
  const passed = now() - seconds(at);
  return passed < 5 ? "just now" : `${duration(passed)} ago`;
}

// A moment: the time of day if it is near, else with its date.
export function moment(at) {
  if (!known(seconds(at))) return NONE;
  return (Math.abs(now() - seconds(at)) < 43200 ? clock : day).format(new Date(seconds(at) * 1000));
}

export const isWeb = (url) => /^https?:\/\//i.test(url || "");

export function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

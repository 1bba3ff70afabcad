// Line icons, 20 by 20. They always stand beside a word or have a label of their own.
import { html } from "./html.js";

const PATHS = {
  crawls: "M3 5h14M3 10h14M3 15h9",
  start: "M10 4v12M4 10h12",
  live: "M2.500 10h3l2.500-6 4 12 2.500-6h3",
  why: "M4 4v5a3 3 0 0 0 3 3h9M12.500 8.500 16 12l-3.500 3.500",
  teach: "M3 7.500 10 4l7 3.500-7 3.500ZM6 9.500V13c0 1 2 2 4 2s4-1 4-2V9.500",
  prospect: "M10 3v3M10 14v3M3 10h3M14 10h3M10 14a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z",
  read: "M9 14.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11ZM13 13l4 4",
  map: "M5 6.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7.500 17.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM6.800 5.200 13 6.600M5.400 6.500l1.700 7M13.700 8.500l-5 5.500",
  keys: "M2.500 5.500h15v9h-15ZM5.500 8.500h.1M8.500 8.500h.1M11.500 8.500h.1M14.500 8.500h.1M6.500 11.500h7",
  theme:
    "M10 14a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M4.300 15.700l1.100-1.100M14.600 5.400l1.100-1.100",
  pause: "M7 4.500v11M13 4.500v11",
  play: "M6 4.500v11l9-5.500Z",
  stop: "M5.500 5.500h9v9h-9Z",
  out: "M8 4H4v12h12v-4M11.500 3.500H16.500V8.500M16.500 3.500 9 11",
  close: "M5 5l10 10M15 5 5 15",
};

export const Icon = ({ name }) =>
  html`<svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false">
    <path d=${PATHS[name]} />
  </svg>`;

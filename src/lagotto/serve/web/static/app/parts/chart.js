// Lines over time or over pages, drawn by uPlot, with a legend in words that shows the values under the pointer.
import uPlot from "../../vendor/uplot.mjs";
import { html, useEffect, useRef, useState } from "./html.js";
import { count } from "./format.js";
import { onTheme, token } from "./theme.js";

const DASHES = { solid: [], dashed: [7, 4], dotted: [2, 3] };

const withSeconds = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const withMinutes = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const withDay = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

// Times at the ticks, as exact as the ticks are apart.
function times(_, ticks) {
  const apart = ticks.length > 1 ? ticks[1] - ticks[0] : 60;
  const shown = apart < 60 ? withSeconds : apart < 21600 ? withMinutes : withDay;
  return ticks.map((tick) => shown.format(new Date(1000 * tick)));
}

function axis(extra) {
  return {
    stroke: token("muted"),
    grid: { stroke: token("line"), width: 1 },
    ticks: { stroke: token("line"), width: 1, size: 4 },
    font: `11px ${token("sans")}`,
    ...extra,
  };
}

function options({ series, time, show, right, top }, width, height, point) {
  const scaled = (key) => series.some((one) => (one.scale || "y") === key);
  const axes = [axis({ values: time ? times : (_, ticks) => ticks.map((tick) => count(tick)), space: 70, size: 32 })];
  if (scaled("y")) axes.push(axis({ scale: "y", size: 54, values: (_, ticks) => ticks.map((tick) => show.y(tick)) }));
  if (scaled("right")) {
    axes.push(
      axis({
        scale: "right",
        side: 1,
        size: 54,
        grid: { show: false },
        values: (_, ticks) => ticks.map((tick) => show.right(tick)),
      }),
    );
  }
  return {
    width,
    height,
    axes,
    padding: [10, right ? 4 : 14, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: Boolean(time) },
      y: { range: (_, least, most) => [0, top || Math.max(most || 0, 1) * 1.05] },
      right: { range: (_, least, most) => [0, Math.max(most || 0, 1) * 1.05] },
    },
    series: [
      {},
      ...series.map((one) => ({
        label: one.label,
        scale: one.scale || "y",
        stroke: token(one.tone),
        dash: DASHES[one.line || "solid"],
        width: one.width || 2,
        points: { show: false },
        spanGaps: true,
      })),
    ],
    hooks: { setCursor: [(plot) => point(plot.cursor.idx)] },
  };
}

// series: [{label, values, tone, line, scale}]; x: numbers, epoch seconds if `time`; label: what the picture tells, as a sentence.
export function Chart({
  x,
  series,
  time = false,
  label,
  show = {},
  height = 230,
  right = false,
  top = 0,
  xLabel = "",
}) {
  const box = useRef(null);
  const plot = useRef(null);
  const [at, setAt] = useState(null);
  const shows = { y: count, right: count, ...show };
  const shape = JSON.stringify([
    series.map(({ label: name, tone, line, scale }) => [name, tone, line, scale]),
    time,
    height,
    right,
    top,
  ]);

  useEffect(() => {
    const data = () => [x, ...series.map((one) => one.values)];
    const draw = () => {
      plot.current?.destroy();
      const width = Math.max(200, box.current.clientWidth);
      plot.current = new uPlot(
        options({ series, time, show: shows, right, top }, width, height, setAt),
        data(),
        box.current,
      );
    };
    draw();
    const resized = new ResizeObserver(([entry]) =>
      plot.current?.setSize({ width: Math.max(200, entry.contentRect.width), height }),
    );
    resized.observe(box.current);
    const forget = onTheme(draw);
    return () => {
      resized.disconnect();
      forget();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => {
    plot.current?.setData([x, ...series.map((one) => one.values)]);
  }, [x, series]);

  const place = at ?? x.length - 1;
  return html`<figure class="chart">
    <div class="canvas" ref=${box} role="img" aria-label=${label}></div>
    <figcaption>
      ${series.map(
        (one) => html`<span class="key" key=${one.label}>
          <svg width="22" height="8" aria-hidden="true">
            <line
              x1="0"
              y1="4"
              x2="22"
              y2="4"
              class="stroke-${one.tone}"
              stroke-width="2.500"
              stroke-dasharray=${DASHES[one.line || "solid"].join(" ")}
            />
          </svg>
          ${one.label} <b>${place >= 0 ? shows[one.scale || "y"](one.values[place]) : ""}</b>
        </span>`,
      )}
      ${xLabel && html`<span class="muted">${xLabel}</span>`}
    </figcaption>
  </figure>`;
}

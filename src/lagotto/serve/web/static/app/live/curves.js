// The curves of the live screen: pages and queue over time, harvest ratio over pages.
import { html, useMemo } from "../parts/html.js";
import { Chart } from "../parts/chart.js";
import { count, known, moment, percent, short } from "../parts/format.js";

export function Course({ course, details }) {
  const { points } = course;
  const x = useMemo(() => points.map(({ at }) => at), [points]);
  const series = useMemo(
    () => [
      { label: "Pages", tone: "accent", values: points.map(({ pages }) => pages) },
      { label: "On topic", tone: "on", line: "dashed", values: points.map(({ relevant }) => relevant) },
      {
        label: "Links that wait (right scale)",
        tone: "muted",
        line: "dotted",
        scale: "right",
        values: points.map((point) => Math.max(0, point.known - point.concluded)),
      },
    ],
    [points],
  );
  if (points.length < 2) return html`<p class="muted">The curve begins with the second page.</p>`;
  return html`<${Chart}
    x=${x}
    series=${series}
    time
    show=${{ y: short, right: short }}
    right
    label=${`${count(details.figures.pages)} pages, ${count(details.figures.relevant)} of them on topic, ${count(details.figures.queued)} links in the queue.`}
    xLabel=${course.projected_end ? `Projected end ${moment(course.projected_end)}` : ""}
  />`;
}

const WINDOW = 200;

// Share on topic among the newest pages at each point, beside the share so far.
function ratios(points) {
  return points.map((point, place) => {
    let from = place;
    while (from > 0 && point.pages - points[from].pages < WINDOW) from -= 1;
    const before = point.pages - points[from].pages >= 1 ? points[from] : { pages: 0, relevant: 0 };
    const pages = point.pages - before.pages;
    return {
      recent: pages ? (point.relevant - before.relevant) / pages : null,
      overall: point.pages ? point.relevant / point.pages : null,
    };
  });
}

export function RatioCourse({ course, details }) {
  const { points } = course;
  const x = useMemo(() => points.map(({ pages }) => pages), [points]);
  const sample = details.sample_harvest;
  const series = useMemo(() => {
    const shares = ratios(points);
    return [
      { label: "Last 200 pages", tone: "accent", values: shares.map(({ recent }) => recent) },
      { label: "Overall", tone: "on", line: "dashed", values: shares.map(({ overall }) => overall) },
      ...(known(sample)
        ? [{ label: "Random sample", tone: "muted", line: "dotted", values: shares.map(() => sample) }]
        : []),
    ];
  }, [points, sample]);
  if (points.length < 2) return html`<p class="muted">The curve begins with the second page.</p>`;
  return html`<${Chart}
    x=${x}
    series=${series}
    top=${1}
    show=${{ y: percent }}
    xLabel="over pages fetched"
    label=${`Harvest ratio: ${percent(details.recent_harvest)} of the last 200 pages, ${percent(details.summary.harvest_ratio)} overall.`}
  />`;
}

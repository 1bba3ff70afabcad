// Search and read: results with snippets and subtopics, a reading view of the text, export of what is selected.
import { html, useEffect, useRef, useState } from "./parts/html.js";
import { of } from "./parts/api.js";
import { Dialog } from "./parts/dialog.js";
import { ExportDialog } from "./parts/exports.js";
import { useFetched, useSettled } from "./parts/fetched.js";
import { bytes, count, fixed, moment, plural } from "./parts/format.js";
import { Marked, Reading, unitRanges } from "./parts/highlight.js";
import { useKeys } from "./parts/keys.js";
import { Answer, Empty, Outside, Url, Verdict } from "./parts/pieces.js";
import { to } from "./parts/route.js";
import { Pager } from "./parts/table.js";

const LIMIT = 20;

export function Read({ crawl, query }) {
  const [words, setWords] = useState(query.q || "");
  const [onTopic, setOnTopic] = useState(true);
  const [fold, setFold] = useState(true);
  const [offset, setOffset] = useState(0);
  const [chosen, setChosen] = useState(new Set());
  const [reading, setReading] = useState(null);
  const [exporting, setExporting] = useState(false);
  const box = useRef(null);
  const settled = useSettled(words.trim());
  const subtopic = query.subtopic || "";
  useEffect(() => {
    setOffset(0);
    if (settled !== (query.q || "")) history.replaceState(null, "", to("read", crawl, { q: settled, subtopic }));
  }, [settled]);
  const found = useFetched(
    settled
      ? of(crawl, "search", {
          q: `${settled}${onTopic ? " relevant:yes" : ""}`,
          n: LIMIT,
          offset,
          subtopic,
          near_duplicates: fold ? "fold" : "keep",
        })
      : of(crawl, "pages", { sort: "relevance", relevant: onTopic ? true : null, subtopic, offset, limit: LIMIT }),
  );
  const shown = (
    found.value?.hits?.map(({ page }) => page) ||
    found.value?.rows.map(({ number }) => number) ||
    []
  ).join();
  const subtopics = useFetched(of(crawl, "subtopics", { pages: shown }));
  const names = new Map(subtopics.value?.subtopics.map(({ id, name }) => [id, name]));
  const nameOf = (number) => names.get(subtopics.value?.of_page[number]);
  const toggle = (n) => {
    const next = new Set(chosen);
    if (!next.delete(n)) next.add(n);
    setChosen(next);
  };
  useKeys("Search", [
    ["/", "Type what to search for", () => box.current.focus()],
    ["x", "Export the chosen pages", () => chosen.size && setExporting(true)],
  ]);
  return html`<header class="screen">
      <div>
        <h1>Search and read</h1>
        <p class="lead">The harvest of <b><bdi>${crawl}</bdi></b>, by words and by subtopic.</p>
      </div>
      <div class="controls">
        <button disabled=${!chosen.size} onClick=${() => setExporting(true)}>
          Export ${chosen.size ? plural(chosen.size, "chosen page") : "chosen pages"}
        </button>
      </div>
    </header>
    <form class="ask" role="search" onSubmit=${(event) => event.preventDefault()}>
      <label class="unseen" for="search-words">Search the harvest</label>
      <input
        id="search-words"
        ref=${box}
        type="search"
        placeholder='Words, or "a phrase"'
        value=${words}
        onInput=${(event) => setWords(event.target.value)}
      />
      <label class="check">
        <input
          type="checkbox"
          checked=${onTopic}
          onChange=${(event) => {
            setOnTopic(event.target.checked);
            setOffset(0);
          }}
        /> Only on topic
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked=${fold}
          onChange=${(event) => {
            setFold(event.target.checked);
            setOffset(0);
          }}
        /> Fold near-duplicates
      </label>
    </form>
    <div class="columns narrow-left">
      <${Subtopics} crawl=${crawl} fetched=${subtopics} chosen=${subtopic} words=${settled} />
      <div>
        <${Answer} of=${found}>
          ${(answer) => {
            const rows = answer.hits
              ? answer.hits.map(asRow)
              : fold
                ? answer.rows.filter((row) => !row.near_duplicate_of)
                : answer.rows;
            return rows.length
              ? html`<p class="muted" role="status">
                  ${
                    answer.hits
                      ? html`${plural(answer.total, "page")} for “
                      <bdi>${settled}</bdi>
                      ”
                      ${!answer.every_word && ", which have some of the words"}`
                      : `${plural(answer.total, "page")}, the most relevant first`
                  }
                </p>
                ${answer.notes?.map((note) => html`<p class="notice" key=${note}>${note}</p>`)}
                <ol class="results" start=${offset + 1}>
                  ${rows.map(
                    (row) => html`<${Result}
                    key=${row.number}
                    row=${row}
                    subtopic=${nameOf(row.number)}
                    crawl=${crawl}
                    chosen=${chosen.has(row.number)}
                    toggle=${() => toggle(row.number)}
                    open=${setReading}
                  />`,
                  )}
                </ol>
                <${Pager}
                  offset=${offset}
                  limit=${LIMIT}
                  total=${answer.total}
                  shown=${(answer.hits || answer.rows).length}
                  go=${setOffset}
                  what="page"
                />`
              : html`<${Empty} title=${settled ? "Nothing found" : "No page yet"}>
                <p>
                  ${settled ? "Try fewer or other words, or search off-topic pages too." : "Pages on topic appear here as soon as they are fetched."}
                </p>
              </${Empty}>`;
          }}
        </${Answer}>
      </div>
    </div>
    ${
      reading &&
      html`<${ReadingView}
        crawl=${crawl}
        page=${reading}
        words=${settled}
        open=${setReading}
        close=${() => setReading(null)}
      />`
    }
    ${exporting && html`<${ExportDialog} crawl=${crawl} numbers=${[...chosen]} close=${() => setExporting(false)} />`}`;
}

function Subtopics({ crawl, fetched, chosen, words }) {
  const rows = fetched.value?.subtopics || [];
  const link = (id) => to("read", crawl, { q: words, subtopic: id });
  return html`<nav class="facets" aria-label="Subtopics">
    <h2>Subtopics</h2>
    ${fetched.error && html`<p class="muted">${fetched.error.message}</p>`}
    ${fetched.value && !rows.length && html`<p class="muted">None yet: a few dozen pages on topic are needed.</p>`}
    <ul>
      <li><a href=${link("")} aria-current=${chosen === "" ? "true" : undefined}>All</a></li>
      ${rows.map(
        (row) => html`<li key=${row.id}>
          <a
            href=${link(row.id)}
            title=${row.keywords.join(", ")}
            aria-current=${chosen === String(row.id) ? "true" : undefined}
          >
            <span><bdi>${row.name}</bdi></span>
            <span class="count">${count(row.pages)}</span>
          </a>
        </li>`,
      )}
    </ul>
  </nav>`;
}

// A hit of the search as a row of the list.
const asRow = ({ page, snippet, ...hit }) => ({
  ...hit,
  number: page,
  snippet: snippet.text,
  highlights: unitRanges(snippet.text, snippet.highlights),
});

function Result({ row, subtopic, crawl, chosen, toggle, open }) {
  return html`<li class="result">
    <input type="checkbox" aria-label=${`Choose ${row.title || row.url}`} checked=${chosen} onChange=${toggle} />
    <div>
      <h3><button class="link" onClick=${() => open(row)}><bdi>${row.title || row.url}</bdi></button></h3>
      <p class="where"><${Verdict} relevant=${row.relevant ?? null} /> <${Url} url=${row.url} /></p>
      ${row.snippet && html`<p class="snippet" dir="auto"><${Marked} text=${row.snippet} ranges=${row.highlights} /></p>`}
      <p class="muted">
        relevance ${fixed(row.relevance)}
        ${subtopic && html` · <span class="tag"><bdi>${subtopic}</bdi></span>`} · <a
          href=${to("why", crawl, { url: row.url })}
        >
          why
        </a>
        ${row.near_duplicates > 0 && ` · ${plural(row.near_duplicates, "page")} nearly the same folded`}
        ${row.near_duplicate_of && html` · nearly the same as <bdi>${row.near_duplicate_of}</bdi>`}
      </p>
    </div>
  </li>`;
}

const WORD = /[\p{L}\p{N}]+/gu;

function ReadingView({ crawl, page, words, open, close }) {
  const full = useFetched(of(crawl, `pages/${page.number}`));
  const similar = useFetched(of(crawl, `similar/${page.number}`, { n: 6 }));
  return html`<${Dialog} side title=${page.title || page.url} close=${close}>
    <p><${Url} url=${page.url} /></p>
    <${Answer} of=${full}>
      ${(whole) => html`<p class="muted">
          ${moment(whole.row.fetched_at)} · ${bytes(whole.details?.size)}
          ${whole.row.language && html` · <bdi>${whole.row.language}</bdi>`} · relevance ${fixed(whole.row.relevance)} <${Verdict}
            relevant=${whole.row.relevant}
            words
          />
        </p>
        <div class="actions">
          <a class="button" href=${to("why", crawl, { url: page.url })}>Why is it here?</a>
          <${Outside} url=${page.url} />
        </div>
        <article>
          ${whole.text ? html`<${Reading} text=${whole.text} forms=${words.match(WORD) || []} />` : html`<p class="muted">The text of this page was not kept.</p>`}
        </article>`}
    </${Answer}>
    ${
      similar.value?.hits.length > 0 &&
      html`<section>
        <h3>Similar pages</h3>
        <ul class="similar">
          ${similar.value.hits.map(asRow).map(
            (row) => html`<li key=${row.number}>
            <button class="link" onClick=${() => open(row)}><bdi>${row.title || row.url}</bdi></button> <${Url}
              url=${row.url}
            />
          </li>`,
          )}
        </ul>
      </section>`
    }
  </${Dialog}>`;
}

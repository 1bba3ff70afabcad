"""Make a query log and search results for each topic of a frozen web.

    python scripts/make_query_logs.py WEB --labels labels.csv --topics topics.json -o logs.json
    lagotto lab compare WEB --labels labels.csv --topics topics.json --protocol log --logs logs.json -o out

Queries about a topic are titles and headings of some pages that its labels name. Queries about something
else, the noise, are titles and headings of other pages. Both are mixed at random. The file lists the pages
that became queries, and the lab does not count them as found. Search results are the pages most similar to
the topic's words; no label is used for them.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from lagotto.base.records import Page
from lagotto.base.text import terms
from lagotto.base.urls import checksum
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.draws import SearchHit, TopicLog
from lagotto.lab.experiments.truth import LabTopic, read_labels, read_topics
from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.web import FrozenWeb
from lagotto.parse.page import parse_page

MAX_WORDS = 8
"""Words of a query at most: people ask in a few words."""
SNIPPET = 200
"""Characters of a page's text that a search result shows."""


COMMON = 0.01
"""Share of the pages; a heading that more of them have is a part of the site's layout."""
FEW = 3
"""A heading of at most so many pages is never left out."""


def queries_of(page: Page) -> list[str]:
    """Title and headings of a page as people would type them, each once."""
    texts = dict.fromkeys(_typed(text) for text in (page.title, *page.headings))
    return [text for text in texts if terms(text)]


def common_queries(pages: Iterable[Page]) -> set[str]:
    """Titles and headings that many pages share, such as the name of the site."""
    having: Counter[str] = Counter()
    count = 0
    for page in pages:
        having.update(queries_of(page))
        count += 1
    return {query for query, found in having.items() if found > max(FEW, COMMON * count)}


def _typed(text: str) -> str:
    """The first words of a title, without what follows a dash or bar, such as the name of the site."""
    head = text.replace("|", " - ").split(" - ")[0]
    return " ".join(head.lower().split()[:MAX_WORDS])


def make_log(
    relevant: Sequence[list[str]], others: Sequence[list[str]], *, noise: float, draw: random.Random
) -> list[str]:
    """Queries of relevant and of other pages, mixed; `noise` is the share of the others."""
    asked = [query for queries in relevant for query in queries]
    unrelated = [query for queries in others for query in queries]
    wanted = round(len(asked) * noise / (1 - noise))
    mixed = asked + draw.sample(unrelated, min(wanted, len(unrelated)))
    draw.shuffle(mixed)
    return mixed


def search(pages: Iterable[Page], topic: LabTopic, results: int) -> list[SearchHit]:
    """The pages most similar to the topic's words, by the cosine of words and page."""
    table = Topic(topic.words).word_table
    assert table is not None
    scored = [(table.cosine(page.terms) + table.cosine_of(page.title_terms), page) for page in pages]
    best = sorted(scored, key=lambda hit: (-hit[0], hit[1].url))[:results]
    return [SearchHit(page.url, page.title, page.text[:SNIPPET]) for score, page in best if score > 0]


def _pages(web: FrozenWeb) -> Iterator[Page]:
    for url in web.urls():
        found = web.page(url)
        assert found is not None
        page = parse_page(found.url, found.body, declared_type=found.content_type)
        # Links and long texts are not needed, and would fill the memory.
        page.links, page.text = [], page.text[:SNIPPET]
        yield page


def make_logs(
    web: FrozenWeb,
    labels: Path,
    topics: Path,
    *,
    pages: int,
    a_page: int,
    noise: float,
    results: int,
    seed: int,
) -> dict[str, TopicLog]:
    """The log and the results of every topic."""
    labelled, wanted = read_labels(labels, web), read_topics(topics)
    everything = {page.url: page for page in _pages(web)}
    common = common_queries(everything.values())

    def queries(url: str) -> list[str]:
        return [query for query in queries_of(everything[url]) if query not in common][:a_page]

    logs = {}
    for name, topic in wanted.items():
        draw = random.Random(f"{seed} {name}")
        relevant = sorted(labelled.of(name), key=checksum)
        seeds = {web.resolve(url) for url in topic.seeds}
        free = [url for url in relevant if url not in seeds]
        chosen = draw.sample(free, min(pages, len(free) // 2))
        off_topic = sorted(everything.keys() - labelled.of(name))
        others = draw.sample(off_topic, min(2 * pages, len(off_topic)))
        log = make_log([*map(queries, chosen)], [*map(queries, others)], noise=noise, draw=draw)
        logs[name] = TopicLog(log, search(everything.values(), topic, results), chosen)
    return logs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("web", type=Path, help="frozen web, or a folder or file that one is made of")
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--topics", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=30, help="relevant pages that become queries, a topic")
    parser.add_argument("--a-page", type=int, default=4, help="queries of a page at most")
    parser.add_argument("--noise", type=float, default=0.3, help="share of queries about something else")
    parser.add_argument("--results", type=int, default=30, help="search results a topic")
    parser.add_argument("--random-seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    with TemporaryDirectory() as scratch:
        frozen = asked.web
        if frozen.suffix != ".web":
            frozen = Path(scratch) / "frozen.web"
            import_web([asked.web], frozen)
        with FrozenWeb.open(frozen) as web:
            logs = make_logs(
                web,
                asked.labels,
                asked.topics,
                pages=asked.pages,
                a_page=asked.a_page,
                noise=asked.noise,
                results=asked.results,
                seed=asked.random_seed,
            )
    asked.output.write_bytes(msgspec.json.format(msgspec.json.encode(logs)))
    print(f"{asked.output}: {len(logs)} topics, {sum(len(log.queries) for log in logs.values())} queries")


if __name__ == "__main__":
    main()

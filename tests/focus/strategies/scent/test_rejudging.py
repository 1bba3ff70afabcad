from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec import structs

from lagotto.base.records import Judgement, Lease, Page
from lagotto.base.urls import checksum
from lagotto.focus.judging import FetchedPage
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.topic import Topic
from lagotto.lab.demo import DemoWeb
from lagotto.lab.demo.web import freeze
from lagotto.lab.experiments.measures import average_precision, f1
from lagotto.lab.experiments.one_run import replay
from lagotto.lab.webs.analysis import OnDemand
from lagotto.lab.webs.web import FrozenWeb


class Kept(Scent):
    """Keeps the pages that it judged."""

    def __init__(self, topic: Topic) -> None:
        super().__init__(topic)
        self.pages: list[FetchedPage] = []
        self.urls: list[str] = []
        self.at_fetch: list[float] = []

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes:
        self.urls.append(page.url)
        self.at_fetch.append(judgement.relevance)
        self.pages.append(
            FetchedPage(
                id=checksum(page.url),
                host=lease.host,
                counts=page.terms,
                titled=page.title_terms,
                links=[checksum(link.url) for link in page.links],
                link_score=lease.score,
                seed=lease.depth == 0,
            )
        )
        return super().sample(page, judgement, lease)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrozenWeb]:
    path = tmp_path_factory.mktemp("demo") / "demo.web"
    freeze(DemoWeb(), path)
    with FrozenWeb.open(path) as web:
        yield web


def crawl(web: FrozenWeb, name: str, pages: int) -> tuple[Kept, np.ndarray]:
    """A crawl of the demo web, and which of its pages are on topic."""
    topic = DemoWeb().topics()[name]
    strategy = Kept(Topic(topic.words))
    replay(strategy, OnDemand(web), topic.seeds, pages)
    relevant = set(DemoWeb().labels(name))
    return strategy, np.array([url in relevant for url in strategy.urls])


@pytest.fixture(scope="module")
def crawled(demo: FrozenWeb) -> tuple[Kept, np.ndarray]:
    return crawl(demo, "volcanoes", 120)


def test_judging_again_orders_about_as_well_as_at_fetch_or_better(crawled: tuple[Kept, np.ndarray]) -> None:
    strategy, on = crawled
    rejudged = strategy.rejudge(strategy.pages)
    assert rejudged is not None
    assert rejudged.presence.here
    before = average_precision(on, np.array(strategy.at_fetch))
    assert average_precision(on, rejudged.relevance) > max(0.9, before - 0.01)
    assert f1(on, rejudged.relevant) > 0.85


def test_a_harvest_that_is_nearly_all_on_topic_is_claimed(demo: FrozenWeb) -> None:
    """Two groups are found in it, too; what was said at fetch tells that they are one."""
    strategy, on = crawl(demo, "beekeeping", 100)
    assert on.mean() > 0.9
    rejudged = strategy.rejudge(strategy.pages)
    assert rejudged is not None
    assert f1(on, rejudged.relevant) > 0.85


def test_nothing_is_learned_by_it(crawled: tuple[Kept, np.ndarray]) -> None:
    strategy, _ = crawled
    before = strategy.save()
    strategy.rejudge(strategy.pages)
    assert strategy.save() == before


def test_marks_decide(crawled: tuple[Kept, np.ndarray]) -> None:
    strategy, on = crawled
    rows = np.flatnonzero(on)[5:9].tolist()
    marked = [
        structs.replace(page, mark=False) if row in rows else page for row, page in enumerate(strategy.pages)
    ]
    rejudged = strategy.rejudge(iter(marked))
    assert rejudged is not None
    assert not rejudged.relevant[rows].any()


def test_a_page_that_the_crawl_never_saw_can_be_judged(crawled: tuple[Kept, np.ndarray]) -> None:
    strategy, _ = crawled
    best = strategy.pages[10]
    rejudged = strategy.rejudge([*strategy.pages, structs.replace(best, id=1, links=())])
    assert rejudged is not None
    assert len(rejudged.relevance) == len(strategy.pages) + 1


def test_too_few_pages_are_not_judged_again() -> None:
    assert Scent(Topic("volcanoes")).rejudge([]) is None

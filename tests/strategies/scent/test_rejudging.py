from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from lagotto.demo import DemoWeb
from lagotto.judging import FetchedPage
from lagotto.lab.experiments.measures import average_precision, f1
from lagotto.lab.experiments.one_run import replay
from lagotto.lab.webs.analysis import OnDemand
from lagotto.records import Judgement, Lease, Page
from lagotto.strategies.scent import Scent
from lagotto.topic import Topic
from lagotto.urls import checksum


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
                at_fetch=judgement.relevance,
            )
        )
        return super().sample(page, judgement, lease)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kept, np.ndarray]:
    from lagotto.demo.freezing import freeze
    from lagotto.lab.webs.web import FrozenWeb

    demo = DemoWeb()
    path = tmp_path_factory.mktemp("demo") / "demo.web"
    freeze(demo, path)
    topic = demo.topics()["volcanoes"]
    strategy = Kept(Topic(topic.words))
    with FrozenWeb.open(path) as web:
        replay(strategy, OnDemand(web), topic.seeds, 120)
    relevant = set(demo.labels("volcanoes"))
    return strategy, np.array([url in relevant for url in strategy.urls])


def test_judging_again_orders_about_as_well_as_at_fetch_or_better(crawled: tuple[Kept, np.ndarray]) -> None:
    strategy, on = crawled
    rejudged = strategy.rejudge(strategy.pages)
    assert rejudged is not None
    assert rejudged.presence.here
    before = average_precision(on, np.array(strategy.at_fetch))
    assert average_precision(on, rejudged.relevance) > max(0.9, before - 0.01)
    assert f1(on, rejudged.relevant) > 0.85


def test_a_harvest_that_is_nearly_all_on_topic_is_claimed(crawled: tuple[Kept, np.ndarray]) -> None:
    """Two groups are found in it, too; what was said at fetch tells that they are one."""
    strategy, on = crawled
    assert on[:60].mean() > 0.9
    rejudged = strategy.rejudge(strategy.pages[:60])
    assert rejudged is not None
    assert rejudged.relevant.mean() > 0.8


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

"""Crawls whose seed has none of the words: nothing on topic is known when they start."""

from __future__ import annotations

import msgspec
import numpy as np

from lagotto.base.records import Page
from lagotto.focus.strategies.scent import Scent
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.topic import Topic
from lagotto.lab.checks.strategies import make_page
from lagotto.lab.experiments.one_run import Replayed, replay
from lagotto.lab.webs.web import WebPage

INDEX = "http://index.example/"
BANKS = "A bank lends money at interest. Loans, mortgages, savings and shares are its trade. "
BIRDS = "A heron is a bird. Birds have feathers and wings, they nest, sing and fly. "
NONE = np.zeros(0, np.int32)


class SmallWeb:
    """Parsed pages by their URLs."""

    def __init__(self, pages: list[Page]) -> None:
        self.pages = {page.url: page for page in pages}

    def page(self, url: str) -> WebPage | None:
        """The page's analysis."""
        page = self.pages.get(url)
        return None if page is None else WebPage(url, msgspec.msgpack.encode(page))


def two_places(banks: str, birds: str) -> SmallWeb:
    """An index that links to many pages on banks and, at the end, to one on birds.

    From there on links lead to pages on the same subject.
    """
    links = {f"{banks}{at}.html": "read" for at in range(8)} | {f"{birds}0.html": "read"}
    pages = [make_page(INDEX, "Index", "Read on. " * 5, links)]
    for place, text in ((banks, BANKS), (birds, BIRDS)):
        for at in range(120):
            onward = {f"{place}{(at * 3 + step) % 120}.html": "next" for step in range(1, 5)}
            # The words in front make each page's content its own.
            pages.append(make_page(f"{place}{at}.html", "Page", f"{place} {at}. " + text * 4, onward))
    return SmallWeb(pages)


def crawl(web: SmallWeb, budget: int = 20) -> Replayed:
    return replay(Scent(Topic("heron bird feathers")), web, [INDEX], budget)


def test_finds_the_host_that_has_the_topic() -> None:
    run = crawl(two_places("http://banks.example/", "http://birds.example/"))
    assert sum("birds" in url for url in run.urls) > 15


def test_finds_the_directory_that_has_the_topic() -> None:
    run = crawl(two_places("http://all.example/one/", "http://all.example/other/"))
    assert sum("/other/" in url for url in run.urls) > 15


def test_claims_little_on_a_web_without_the_topic() -> None:
    web = two_places("http://banks.example/", "http://birds.example/")
    web.pages = {url: page for url, page in web.pages.items() if "birds" not in url}
    assert sum(crawl(web).relevant) <= 2


def banks_judged(*, mark: float = 0.0) -> Judge:
    """A judge that has read pages on banks alone, the last of them with this mark."""
    judge = Judge({"heron": 1.0, "feather": 1.0})
    for number in range(12):
        judge.add(judge.read({"bank": 3, "money": 2, f"name{number}": 1}, []), 0.0, host="banks.example")
    judge.add(judge.read({"bank": 3, "money": 2}, []), 0.0, mark, host="banks.example")
    judge.fit(NONE, NONE)
    return judge


def test_pages_without_the_words_are_no_evidence() -> None:
    judge = banks_judged()
    assert judge.evidence == 0
    assert (judge.logits.rows < 0).all()
    bank = judge.weigh(judge.read({"bank": 3, "money": 2}, []), [])
    heron = judge.weigh(judge.read({"heron": 3, "feather": 2}, []), [])
    assert bank < heron - 3


def test_pages_with_the_words_are() -> None:
    judge = banks_judged()
    judge.add(judge.read({"heron": 3, "feather": 2}, []), 0.0, host="birds.example")
    judge.fit(NONE, NONE)
    assert 0 < judge.evidence < 1
    for _ in range(3):
        judge.add(judge.read({"heron": 3, "feather": 2}, []), 0.0, host="birds.example")
    judge.fit(NONE, NONE)
    assert judge.evidence == 1


def test_a_word_in_passing_on_a_long_page_is_little() -> None:
    judge = banks_judged()
    long = {f"term{number}": 5 for number in range(100)}
    judge.add(judge.read({"heron": 1} | long, []), 0.0, host="banks.example")
    judge.fit(NONE, NONE)
    assert judge.evidence < 0.1


def test_a_page_marked_as_relevant_is_enough() -> None:
    assert banks_judged(mark=1.0).evidence == 1
    assert banks_judged(mark=-1.0).evidence == 0


def test_evidence_is_saved() -> None:
    web = two_places("http://banks.example/", "http://birds.example/")
    web.pages = {url: page for url, page in web.pages.items() if "birds" not in url}
    strategy, again = (Scent(Topic("heron bird feathers")) for _ in range(2))
    replay(strategy, web, [INDEX], 20)
    again.load(strategy.save())
    page = make_page("http://banks.example/new.html", "New", BANKS * 4, {"http://new.example/": "read"})
    assert again.judge(page) == strategy.judge(page)
    assert again.judge(page).relevance < 0.2

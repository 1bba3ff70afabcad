"""Contract checks that every strategy passes, ours and those of other packages.

from lagotto.lab.checks import check_strategy

def test_my_strategy() -> None:
    check_strategy(lambda: MyStrategy(topic))
"""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
import numpy as np

from lagotto.base.hashing import drop_link_words, hash_link
from lagotto.base.records import DROPPED, Judgement, Lease, Link, LinkScores, Page
from lagotto.base.text import count_terms, terms
from lagotto.base.urls import canonical, checksum, host_of
from lagotto.focus.strategies.base import Strategy, reads_link_words


def make_page(url: str, title: str, text: str, links: dict[str, str] | None = None) -> Page:
    """A page as the parser would make it; `links` maps href to anchor text."""
    found = []
    for href, anchor in (links or {}).items():
        target = canonical(href, url)
        if target is not None:
            path = target.partition("//")[2].partition("/")[2]
            found.append(
                Link(
                    url=target,
                    anchor=anchor,
                    context=text[:80],
                    path="div.content>p>a",
                    anchor_terms=terms(anchor),
                    context_terms=terms(text[:80]),
                    url_terms=terms(path.replace("/", " ").replace(".html", " ")),
                )
            )
    return Page(
        url=url,
        title=title,
        text=text,
        language="en",
        terms=count_terms(f"{title} {text}"),
        title_terms=terms(title),
        fingerprint=checksum(text or url),
        simhash=checksum(title or url),
        links=found,
    )


def lease_of(page: Page, *, depth: int = 1, parent: str = "http://seed.example/") -> Lease:
    """A lease that could have led to the page."""
    return Lease(
        id=checksum(page.url), url=page.url, host=host_of(page.url), score=0.5, depth=depth, parent=parent
    )


def fictional_pages() -> list[Page]:
    """On topic (birds), off topic, a hub, and pages that try a strategy's patience."""
    birds = "The heron is a bird that wades. Birds such as the eagle have feathers and nest in trees. "
    banks = "A bank lends money at interest. Loans, mortgages and savings are its trade. "
    return [
        make_page(
            "http://birds.example/heron.html",
            "Heron, a wading bird",
            birds * 6,
            {"eagle.html": "the eagle, a bird of prey", "http://money.example/": "our sponsor", "/": "home"},
        ),
        make_page(
            "http://birds.example/eagle.html",
            "Eagle",
            "An eagle is a bird with feathers. " * 8,
            {"heron.html": "heron", "http://birds.example/owl.html": "owls and other birds"},
        ),
        make_page(
            "http://money.example/",
            "Money and banks",
            banks * 8,
            {"loans.html": "loans", "http://birds.example/heron.html": "a bird we like"},
        ),
        make_page(
            "http://hub.example/links.html",
            "Links",
            "Some links. " * 3,
            {f"http://site{number}.example/bird{number}.html": f"bird {number}" for number in range(60)},
        ),
        make_page("http://empty.example/", "", "", {}),
        make_page("http://empty.example/links", "", "", {"/a": "", "/b": ""}),
        make_page("http://odd.example/", "Ünï çødé 鳥類 \x00", "鳥は空を飛ぶ。" * 20, {"/x": "鳥"}),
        make_page("http://long.example/", "Long", "bird " * 20_000, {"/next": "next"}),
    ]


def check_strategy(make: Callable[[], Strategy]) -> None:
    """Run all checks; an assertion names the promise that is broken."""
    for check in (
        check_names,
        check_judgements,
        check_link_scores,
        check_reading_changes_nothing,
        check_order_of_calls,
        check_same_samples_same_state,
        check_state_survives,
        check_edits,
        check_link_words,
    ):
        check(make)


def check_names(make: Callable[[], Strategy]) -> None:
    """A strategy has a name and a one-line summary."""
    strategy = make()
    assert strategy.name, "the strategy has no name"
    assert strategy.summary, "the strategy has no summary"
    assert "\n" not in strategy.summary, "the summary must be one line"


def check_judgements(make: Callable[[], Strategy]) -> None:
    """Relevance lies between 0 and 1, whatever the page, before and after learning."""
    strategy = make()
    for _ in range(2):
        for page in fictional_pages():
            judgement = strategy.judge(page)
            assert 0.0 <= judgement.relevance <= 1.0, f"relevance {judgement.relevance} of {page.url}"
            assert isinstance(judgement.relevant, bool), "the verdict must be a bool"
            assert all(map(math.isfinite, judgement.parts.values())), f"{page.url}: {judgement.parts}"
            if strategy.shelves:
                rank = strategy.rank(page, judgement, lease_of(page))
                assert rank is not None, "a strategy that shelves must give a rank"
                assert math.isfinite(rank), "the rank on the shelf must be finite"
        _teach(strategy)


def check_link_scores(make: Callable[[], Strategy]) -> None:
    """Every link gets a finite score or is dropped, with parts that have names."""
    strategy = make()
    for _ in range(2):
        for page in fictional_pages():
            scores = _score(strategy, page)[1]
            assert len(scores.values) == len(page.links), "one score for each link, in the same order"
            kept = scores.values[scores.values != DROPPED]
            assert np.isfinite(kept).all(), f"scores of {page.url}: {scores.values}"
            links, parts = scores.parts.shape
            assert links == len(page.links), "parts for each link"
            assert parts <= len(strategy.link_parts), "each part has a name"
        _teach(strategy)


def check_reading_changes_nothing(make: Callable[[], Strategy]) -> None:
    """`judge`, `rank`, `score` and `sample` change neither the learned state nor what they are given."""
    strategy = make()
    _teach(strategy)
    before = strategy.save()
    for page in fictional_pages():
        for lease in (lease_of(page), msgspec.structs.replace(lease_of(page), depth=0)):
            judgement = strategy.judge(page)
            given = msgspec.msgpack.encode((page, judgement, lease))
            strategy.rank(page, judgement, lease)
            strategy.score(page, judgement, lease)
            strategy.sample(page, judgement, lease)
            assert msgspec.msgpack.encode((page, judgement, lease)) == given, "arguments must not be changed"
    assert strategy.save() == before, "only `learn` may change the state"


def check_order_of_calls(make: Callable[[], Strategy]) -> None:
    """`score` and `sample` give the same whatever was called before them, also for another verdict."""
    strategy, fresh = make(), make()
    _teach(strategy)
    _teach(fresh)
    pages = fictional_pages()
    for page, other in zip(pages, pages[1:] + pages[:1], strict=True):
        lease, judgement = lease_of(page), strategy.judge(page)
        changed = msgspec.structs.replace(judgement, relevance=1.0 - judgement.relevance)
        strategy.score(page, judgement, lease)
        strategy.judge(other)
        strategy.score(page, judgement, lease)
        sample = strategy.sample(page, changed, lease)
        expected = fresh.sample(page, changed, lease)
        assert sample == expected, f"the sample of {page.url} depends on what was called before"
        fresh.judge(other)


def check_same_samples_same_state(make: Callable[[], Strategy]) -> None:
    """What is learned depends on the samples alone."""
    first, second = make(), make()
    for sample in _teach(first):
        second.learn(sample)
    assert first.save() == second.save(), "replaying the samples must give the same state"
    _assert_alike(first, second)


def check_state_survives(make: Callable[[], Strategy]) -> None:
    """A strategy that loads what another saved goes on exactly like it."""
    first, second = make(), make()
    _teach(first)
    second.load(first.save())
    _assert_alike(first, second)
    _teach(first)
    _teach(second)
    _assert_alike(first, second)


def check_edits(make: Callable[[], Strategy]) -> None:
    """Changed words are learned from their sample alone, and survive."""
    first, second, third = make(), make(), make()
    for strategy in (first, second):
        _teach(strategy)
    sample = first.edit({"kiln": 2.0, "heat pump": 0.5})
    if sample is None:
        return
    before = first.save()
    for strategy in (first, second):
        strategy.learn(sample)
    assert first.save() != before, "changed words must be part of the state"
    _assert_alike(first, second)
    third.load(first.save())
    _assert_alike(first, third)
    _teach(first)
    _teach(third)
    _assert_alike(first, third)


def check_link_words(make: Callable[[], Strategy]) -> None:
    """A strategy that says it does not read the words of links scores them by their hashes alone."""
    strategy = make()
    if reads_link_words(strategy):
        return
    _teach(strategy)
    for page in fictional_pages():
        for link in page.links:
            hash_link(link)
        scores = _score(strategy, page)[1]
        drop_link_words(page)
        assert np.array_equal(scores.values, _score(strategy, page)[1].values), (
            f"{page.url} was read by words"
        )


def _score(strategy: Strategy, page: Page) -> tuple[Judgement, LinkScores]:
    judgement = strategy.judge(page)
    return judgement, strategy.score(page, judgement, lease_of(page))


def _teach(strategy: Strategy) -> list[bytes]:
    samples = []
    for page in fictional_pages():
        judgement, _ = _score(strategy, page)
        sample = strategy.sample(page, judgement, lease_of(page))
        if sample is not None:
            strategy.learn(sample)
            samples.append(sample)
    return samples


def _assert_alike(first: Strategy, second: Strategy) -> None:
    for page in fictional_pages():
        (one, scores), (other, others) = _score(first, page), _score(second, page)
        assert one == other, f"judgements of {page.url} differ: {one} and {other}"
        assert np.array_equal(scores.values, others.values), f"link scores of {page.url} differ"

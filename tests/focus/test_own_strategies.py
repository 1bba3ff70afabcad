"""Strategies passed from Python as objects or classes, without an entry point."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import lagotto
from lagotto.base.errors import InputError, UnknownName
from lagotto.base.records import Judgement, Lease, LinkScores, Page
from lagotto.focus.strategies.base import Strategy
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.servers import Served, demo_served


class Titles(Strategy):
    """Judges pages by a word in their titles; counts the pages it learned from."""

    name: ClassVar[str] = "titles"
    summary: ClassVar[str] = "for tests"
    link_parts: ClassVar[tuple[str, ...]] = ("parent",)

    def __init__(self, topic: object = None, *, word: str = "bird") -> None:
        self.word = word
        self.learned = 0

    def judge(self, page: Page) -> Judgement:
        found = self.word in page.title.lower()
        return Judgement(float(found), found)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        values = np.full(len(page.links), judgement.relevance)
        return LinkScores(values, values[:, None])

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes:
        return b"page"

    def learn(self, sample: bytes) -> None:
        self.learned += 1

    def outlook(self) -> dict[str, float]:
        return {"learned": self.learned}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with demo_served() as served:
        yield served


def start(server: Served, directory: Path, strategy: Any, **options: Any) -> lagotto.CrawlResult:
    return lagotto.crawl(
        "birds",
        seeds=server.web.topics()["birds"].seeds,
        directory=directory,
        strategy=strategy,
        max_pages=10,
        proxy=server.proxy,
        delay=0.0,
        parsers=1,
        **options,
    )


@pytest.mark.parametrize("given", [Titles, Titles()])
def test_a_class_or_an_object_does(server: Served, tmp_path: Path, given: Any) -> None:
    result = start(server, tmp_path / "c", given)
    assert result.pages_fetched == 10
    assert {row.relevance for row in result.pages()} <= {0.0, 1.0, None}
    again = lagotto.resume(tmp_path / "c", strategy=given, max_pages=14)
    assert again.pages_fetched == 14
    learned = lagotto.outlook(tmp_path / "c", strategy=given)["learned"]
    assert learned == sum(row.relevance is not None for row in again.pages())


def test_a_class_has_options_and_an_object_has_its_own(server: Served, tmp_path: Path) -> None:
    start(server, tmp_path / "c", Titles, options={"word": "no page has this"})
    assert lagotto.judge(tmp_path / "c", strategy=Titles) is None
    with pytest.raises(InputError, match="give it its options when you make it"):
        start(server, tmp_path / "d", Titles(), options={"word": "x"})
    with pytest.raises(InputError, match="no option 'words'"):
        start(server, tmp_path / "e", Titles, options={"words": "x"})


def test_what_must_be_passed_again_is_said(server: Served, tmp_path: Path, run: Run) -> None:
    start(server, tmp_path / "c", Titles)
    with pytest.raises(
        UnknownName, match=r"needs the strategy 'titles'.* pass it again, as in lagotto.resume"
    ):
        lagotto.resume(tmp_path / "c")
    said = run("resume", "c")
    assert (said.code, "pass it again" in said.err) == (2, True)
    with pytest.raises(InputError, match="was started with the strategy 'titles'"):
        lagotto.resume(tmp_path / "c", strategy="bfs")
    seed = server.web.topics()["birds"].seeds[0]
    explained = run("explain", "c", seed)
    assert explained.code == 0, explained.err
    assert "verdict" in explained.out


class Nameless(Titles):
    name = ""


class Namesake(Titles):
    name = "scent"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [(Nameless, "has no name"), (Namesake(), "another strategy 'scent'"), (print, "is no strategy")],
)
def test_what_is_no_strategy_is_refused(server: Served, tmp_path: Path, given: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        start(server, tmp_path / "c", given)
    assert not (tmp_path / "c").exists()

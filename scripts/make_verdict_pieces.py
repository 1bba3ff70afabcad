"""Make the frozen harvests that the tests of verdicts are pinned on, from crawls of the demo web.

    python scripts/make_verdict_pieces.py tests/focus/judging/pieces.npz

Each piece is what judging again takes after some pages of a crawl, with the truth by the web's own labels.
The longest goes on after its topic is exhausted; the absent ones look for what the web does not have.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import structs

from lagotto.base.records import Judgement, Lease, Page
from lagotto.base.urls import checksum
from lagotto.focus.judging import FetchedPage, Harvest
from lagotto.focus.strategies.scent import rejudging
from lagotto.focus.strategies.scent.strategy import Scent
from lagotto.focus.topic import Topic
from lagotto.lab.demo import DemoWeb
from lagotto.lab.demo.web import freeze
from lagotto.lab.experiments.one_run import replay
from lagotto.lab.webs.analysis import OnDemand
from lagotto.lab.webs.web import FrozenWeb

CRAWLS = {"volcanoes": (20, 60, 200, 400), "truffles": (20, 60, 200), "absent": (20, 60)}
ABSENT = "cryptocurrency bitcoin wallet"
TERMS = 16
"""Heaviest terms of a page that are kept, so that the file stays small."""


class Kept(Scent):
    """Keeps what judging again takes of each page."""

    def __init__(self, topic: Topic, sizes: tuple[int, ...]) -> None:
        super().__init__(topic)
        self.urls: list[str] = []
        self.fetched: list[FetchedPage] = []
        self.sizes = sizes
        self.harvests: dict[int, Harvest] = {}

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes:
        """Keep a page."""
        self.urls.append(page.url)
        self.fetched.append(
            FetchedPage(
                id=checksum(page.url),
                host=lease.host,
                counts=page.terms,
                titled=page.title_terms,
                links=[checksum(link.url) for link in page.links],
                link_score=lease.score if lease.depth else float("nan"),
                seed=lease.depth == 0,
            )
        )
        return super().sample(page, judgement, lease)

    def learn(self, sample: bytes) -> None:
        """Keep the harvest where it has one of the sizes."""
        super().learn(sample)
        if len(self.fetched) in self.sizes and len(self.fetched) not in self.harvests:
            found = rejudging.harvest(self._judge, self._links, self.fetched)
            assert found is not None, "a piece needs some pages"
            self.harvests[len(self.fetched)] = found


def main(path: Path) -> None:
    """Crawl, and write the pieces."""
    web = DemoWeb()
    arrays: dict[str, np.ndarray] = {}
    with TemporaryDirectory() as folder:
        frozen_at = Path(folder) / "demo.web"
        freeze(web, frozen_at)
        with FrozenWeb.open(frozen_at) as frozen:
            for name, sizes in CRAWLS.items():
                topic = web.topics()["volcanoes" if name == "absent" else name]
                strategy = Kept(Topic(ABSENT if name == "absent" else topic.words), sizes)
                replay(strategy, OnDemand(frozen), topic.seeds, max(sizes))
                relevant = set() if name == "absent" else set(web.labels(name))
                truth = np.array([url in relevant for url in strategy.urls])
                for pages, harvest in strategy.harvests.items():
                    arrays |= {f"{name}-{pages}-{key}": kept for key, kept in _small(harvest)}
                    arrays[f"{name}-{pages}-truth"] = truth[:pages]
                    print(name, pages, int(truth[:pages].sum()))
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]  # numpy takes names as arguments
    print(path.stat().st_size, "bytes")


def _small(harvest: Harvest) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays of a harvest, with the heaviest terms of each page and fewer digits."""
    starts = np.concatenate([[0], np.cumsum(harvest.lengths)])
    rows = [
        start + np.argsort(-harvest.weights[start:end], kind="stable")[:TERMS]
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    kept = np.concatenate(rows)
    few = structs.replace(
        harvest,
        terms=harvest.terms[kept],
        weights=harvest.weights[kept],
        lengths=np.array([len(each) for each in rows]),
    )
    for key, array in structs.asdict(few).items():
        if array is not None:
            yield key, array.astype({"f": np.float16, "i": np.int32}.get(array.dtype.kind, array.dtype))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

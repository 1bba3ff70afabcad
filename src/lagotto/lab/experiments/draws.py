"""Draws: from which pages a crawl of the lab starts, which example pages and which query log it is given.

The same random seed, topic and number give the same draw, whatever else is compared beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import ceil
from pathlib import Path

import msgspec
import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray

from lagotto.base.errors import InputError
from lagotto.lab.experiments.truth import LabTopic
from lagotto.lab.webs.graph import Graph
from lagotto.lab.webs.web import FrozenWeb

AT_START = 0.25
"""Share of the queries that are there before the first page."""


class SearchHit(Struct, forbid_unknown_fields=True):
    """One search result."""

    url: str
    title: str = ""
    content: str = ""


class TopicLog(Struct, forbid_unknown_fields=True):
    """What people asked about a topic, and what a search engine answers to its words."""

    queries: list[str]
    """In the order of the log, among them queries about something else."""
    results: list[SearchHit] = []
    """Best first."""
    pages: list[str] = []
    """Relevant pages whose titles and headings became queries: they do not count as found."""


def read_logs(path: Path) -> dict[str, TopicLog]:
    """Read a JSON file, topic -> {"queries", "results", "pages"}."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, TopicLog])
    except OSError as error:
        raise InputError(f"cannot read the query logs {path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise InputError(
            f"{path} is not a file of query logs; make one with scripts/make_query_logs.py: {error}"
        ) from None


class GrowingLog:
    """A query log file to which queries are appended as a crawl goes on."""

    def __init__(self, queries: tuple[str, ...], path: Path, budget: int) -> None:
        self.path = path
        self._queries = queries
        self._budget = budget
        self._written = 0
        path.write_text("", encoding="utf-8")
        self.fetched(0)

    def fetched(self, pages: int) -> None:
        """Append what is due after so many pages; the last query is due at the budget."""
        share = AT_START + (1 - AT_START) * min(1.0, pages / self._budget)
        due = ceil(share * len(self._queries))
        if due > self._written:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(f"{query}\n" for query in self._queries[self._written : due])
            self._written = due


USUAL_SEEDS = 2
"""Seeds that are drawn for a topic that gives none."""
TRIES = 50
"""Draws before giving up on finding seeds that reach far enough."""


class Seeding(StrEnum):
    """Where crawls start."""

    GIVEN = "given"
    """Draw 0 as the topic says, further ones from relevant pages."""
    DRAWN = "drawn"
    """From relevant pages."""
    TWO_HOPS = "two-hops"
    """From off-topic pages, two links away from a relevant one."""


class Draw(Struct, frozen=True):
    """What one crawl starts with, besides the topic's words."""

    seeds: tuple[str, ...]
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    queried: tuple[str, ...] = ()
    """Pages whose titles and headings are queries of the log."""

    @property
    def given(self) -> frozenset[str]:
        """Pages that the user gave or that the log was made from: finding them does not count."""
        return frozenset(self.seeds + self.examples + self.counter_examples + self.queried)


class Drawing:
    """Draws for one web; `reach` is how many pages must be within reach of drawn seeds."""

    def __init__(self, web: FrozenWeb, graph: Graph, *, reach: int, random_seed: int = 0) -> None:
        self.web = web
        self.graph = graph
        self.reach = min(reach, len(web) // 2)
        self.random_seed = random_seed
        self._urls = web.urls()
        self._place_of = {url: place for place, url in enumerate(self._urls)}

    def draw(
        self,
        name: str,
        topic: LabTopic,
        relevant: frozenset[str],
        number: int,
        seeding: Seeding = Seeding.GIVEN,
        examples: int = 0,
    ) -> Draw:
        """The draw of that number for a topic: its seeds, and so many example pages of either kind."""
        random = np.random.default_rng([self.random_seed, number, xxhash.xxh3_64_intdigest(name.encode())])
        on_topic = np.array(sorted(self._place_of[url] for url in relevant), np.int32)
        off_topic = np.setdiff1d(np.arange(len(self._urls), dtype=np.int32), on_topic)
        seeds = self._given(name, topic) if seeding == Seeding.GIVEN and number == 0 else ()
        if not seeds:
            wanted = len(topic.seeds) or USUAL_SEEDS
            chosen = on_topic if seeding != Seeding.TWO_HOPS else self._two_hops_from(on_topic)
            if not relevant:
                chosen = off_topic  # The web does not have the topic, so a crawl may start anywhere.
            seeds = self._seeds(name, chosen, wanted, random)
        return Draw(
            seeds,
            self._pages(name, "on-topic", on_topic, examples, random, seeds),
            self._pages(name, "off-topic", off_topic, examples, random, seeds),
        )

    def _given(self, name: str, topic: LabTopic) -> tuple[str, ...]:
        seeds = {seed: self.web.resolve(seed) for seed in topic.seeds}
        for seed, url in seeds.items():
            if url is None:
                raise InputError(
                    f"the seed {seed} of the topic '{name}' is not a page of this web; "
                    "correct it, or start from drawn pages with --seeds drawn"
                )
        return tuple(dict.fromkeys(url for url in seeds.values() if url is not None))

    def _seeds(
        self, name: str, places: NDArray[np.int32], wanted: int, random: np.random.Generator
    ) -> tuple[str, ...]:
        """Pages from which a crawl can reach enough pages to compare strategies."""
        for _ in range(TRIES if len(places) else 0):
            drawn = random.permutation(places)[:wanted]
            if self.graph.reach(drawn) >= self.reach:
                return tuple(self._urls[place] for place in drawn)
        raise InputError(
            f"no seeds could be drawn for the topic '{name}' from which {self.reach} pages can be reached; "
            "give seeds in the topics file, or a smaller --budget"
        )

    def _two_hops_from(self, on_topic: NDArray[np.int32]) -> NDArray[np.int32]:
        hops = self.graph.reversed().hops_from(on_topic, 2)
        return np.flatnonzero(hops == 2).astype(np.int32)

    def _pages(
        self,
        name: str,
        kind: str,
        places: NDArray[np.int32],
        wanted: int,
        random: np.random.Generator,
        taken: Sequence[str],
    ) -> tuple[str, ...]:
        """Example pages, other than the seeds; half of a topic's pages at least are left to be found."""
        free = [self._urls[place] for place in random.permutation(places) if self._urls[place] not in taken]
        if wanted > len(free) // 2:
            raise InputError(
                f"the topic '{name}' has {len(free)} {kind} pages besides its seeds, too few to give "
                f"{wanted} as examples; ask for at most {len(free) // 2} with --examples"
            )
        return tuple(free[:wanted])

"""Write tests/lab/experiments/harvests.npz: harvests of the demo web as judging again gets them, with truth.

The tests of calibration judge them, so that their figures move with the rule of judging alone and not with
crawling or parsing. Write the file anew when `Harvest` gets another field; then set the floors anew, too.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import numpy as np
from msgspec import structs

from lagotto.crawling.config import Config
from lagotto.focus.judging import Harvest, Rejudged, judge_again
from lagotto.focus.registry import build_strategy
from lagotto.focus.topic import Topic
from lagotto.lab.demo import DemoWeb
from lagotto.lab.demo.web import freeze
from lagotto.lab.experiments.one_run import Extras, replay
from lagotto.lab.webs.analysis import OnDemand
from lagotto.lab.webs.web import FrozenWeb

PATH = Path(__file__).parent.parent / "tests" / "lab" / "experiments" / "harvests.npz"
LARGEST = 100_000
BUDGETS = (40, 80, 150)
"""Pages of the crawls, in turn: a user's first crawl is short."""
TOPICS = 9
TERMS = 16
"""Heaviest terms of each page that are kept."""


def main() -> None:
    """Crawl for some topics of the demo web, and write all harvests into one file."""
    arrays: dict[str, np.ndarray] = {}
    for topic, harvest, on_topic in harvests():
        print(f"{topic}: {len(harvest)} pages, {on_topic.sum()} on topic", flush=True)
        arrays |= {f"{topic}/{name}": small for name, small in packed(harvest).items()}
        arrays[f"{topic}/on_topic"] = on_topic
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    assert len(file.getvalue()) < LARGEST, f"{len(file.getvalue()):,} bytes"
    PATH.write_bytes(file.getvalue())
    print(f"{PATH.name}: {len(file.getvalue()):,} bytes")


def harvests() -> Iterator[tuple[str, Harvest, np.ndarray]]:
    """Topic, harvest, and which of its pages are on topic."""
    caught: list[Harvest] = []

    def catch(harvest: Harvest) -> Rejudged:
        caught.append(harvest)
        return judge_again(harvest)

    demo = DemoWeb()
    with tempfile.TemporaryDirectory() as folder:
        freeze(demo, Path(folder) / "demo.web")
        with FrozenWeb.open(Path(folder) / "demo.web") as frozen:
            web = OnDemand(frozen)
            for number, (name, given) in enumerate(islice(demo.topics().items(), TOPICS)):
                topic = Topic(given.words)
                budget = BUDGETS[number % len(BUDGETS)] + len(given.seeds)
                strategy = build_strategy(Config().strategy, topic, {})
                with patch("lagotto.focus.strategies.scent.rejudging.judge_again", catch):
                    run = replay(strategy, web, given.seeds, budget, extras=Extras(topic=topic))
                assert run.again is not None
                labels = demo.labels(name)
                judged = zip(run.urls, run.again.relevance, strict=True)
                on_topic = np.array([url in labels for url, relevance in judged if relevance is not None])
                assert len(on_topic) == len(caught[-1])
                yield name, caught[-1], on_topic


def packed(harvest: Harvest) -> dict[str, np.ndarray]:
    """The harvest's arrays with its heaviest terms only, in as few bytes as the figures bear."""
    ends = np.cumsum(harvest.lengths)
    kept = [
        start + np.sort(np.argsort(-harvest.weights[start:end], kind="stable")[:TERMS])
        for start, end in zip(ends - harvest.lengths, ends, strict=True)
    ]
    few = structs.replace(
        harvest,
        # Only which terms are equal counts, so they are numbered.
        terms=np.unique(harvest.terms[np.concatenate(kept)], return_inverse=True)[1],
        weights=np.round(harvest.weights[np.concatenate(kept)], 1),
        lengths=np.array([len(places) for places in kept], np.int64),
    )
    return {
        name: array.astype(_small(array))
        for name, array in structs.asdict(few).items()
        if isinstance(array, np.ndarray)
    }


def _small(array: np.ndarray) -> np.dtype[np.generic]:
    if array.dtype.kind == "f":
        return np.dtype(np.float16)
    return np.min_scalar_type(array.max(initial=0))


if __name__ == "__main__":
    main()

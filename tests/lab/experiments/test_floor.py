"""The floor: on frozen webs the default strategy may not come to find less than it once did."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lagotto.crawling.config import Config
from lagotto.focus.registry import build_strategy
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.topic import Topic
from lagotto.lab.demo import DemoWeb
from lagotto.lab.demo.web import freeze
from lagotto.lab.experiments.bounds import Oracle
from lagotto.lab.experiments.measures import Hits, area_share
from lagotto.lab.experiments.one_run import replay
from lagotto.lab.experiments.truth import read_labels, read_topics
from lagotto.lab.webs.analysis import OnDemand
from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.web import FrozenWeb

DEFAULT = Config().strategy
# Measured: 0.922 and 0.652. Breadth first reaches 0.162 and 0.380, which is what a broken focus looks like.
DEMO_FLOOR = 0.88
WIKISCHOOLS_FLOOR = 0.61
DEMO_TOPICS = ("truffles", "railways", "chess")
DEMO_BUDGET = 150
WIKISCHOOLS_BUDGET = 100


def share_of_oracle(
    web: OnDemand, words: str, seeds: list[str], relevant: frozenset[str], budget: int
) -> float:
    """What the default strategy finds, as a share of the oracle's area; seeds do not count."""
    wanted = relevant - set(seeds)

    def hits(strategy: Strategy) -> Hits:
        run = replay(strategy, web, seeds, budget + len(seeds))
        return np.array([url in wanted for url in run.urls if url not in seeds], bool)

    ours = hits(build_strategy(DEFAULT, Topic(words), {}))
    return area_share(ours, hits(Oracle(wanted)), budget)


@pytest.mark.timeout(600)
def test_demo_web(tmp_path: Path) -> None:
    demo = DemoWeb()
    freeze(demo, tmp_path / "demo.web")
    with FrozenWeb.open(tmp_path / "demo.web") as frozen:
        web = OnDemand(frozen)
        topics = demo.topics()
        shares = {
            name: share_of_oracle(
                web, topics[name].words, topics[name].seeds, frozenset(demo.labels(name)), DEMO_BUDGET
            )
            for name in DEMO_TOPICS
        }
    assert np.mean(list(shares.values())) >= DEMO_FLOOR, shares


@pytest.mark.timeout(600)
def test_wikischools(lagotto_data: Path, tmp_path: Path) -> None:
    folder = lagotto_data / "webs" / "wikischools"
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}")
    import_web([folder / "pages.jsonl.zst"], tmp_path / "wikischools.web")
    with FrozenWeb.open(tmp_path / "wikischools.web") as frozen:
        web = OnDemand(frozen)
        labels = read_labels(folder / "labels.csv", frozen)
        shares = {}
        for name, topic in read_topics(folder / "topics.json").items():
            seeds = [url for url in map(frozen.resolve, topic.seeds) if url is not None]
            shares[name] = share_of_oracle(web, topic.words, seeds, labels.of(name), WIKISCHOOLS_BUDGET)
    assert np.mean(list(shares.values())) >= WIKISCHOOLS_FLOOR, shares

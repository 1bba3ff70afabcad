"""No page that editors have put under a topic is taken for one of a trap."""

from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.crawling.frontier.traps import Trapped, Traps
from lagotto.focus.registry import build_strategy
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.one_run import replay
from lagotto.lab.experiments.truth import read_labels, read_topics
from lagotto.lab.webs.analysis import OnDemand
from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.web import FrozenWeb

PAGES = 600


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", ["wikischools", "debdocs", "smallweb"])
def test_no_labelled_page_is_refused(
    lagotto_data: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lagotto_data / "webs" / name
    refused: dict[str, str] = {}
    ask = Traps.refuses

    def noting(traps: Traps, url: str, parent: str = "") -> Trapped | None:
        trapped = ask(traps, url, parent)
        if trapped is not None:
            refused.setdefault(url, str(trapped))
        return trapped

    monkeypatch.setattr(Traps, "refuses", noting)
    import_web([folder / "pages.jsonl.zst"], tmp_path / "frozen.web")
    with FrozenWeb.open(tmp_path / "frozen.web") as frozen:
        labels = read_labels(folder / "labels.csv", frozen)
        labelled = frozenset[str]().union(*labels.pages.values())
        topic, given = next(iter(read_topics(folder / "topics.json").items()))
        seeds = [url for url in map(frozen.resolve, given.seeds) if url is not None]
        for strategy in ("scent", "bfs"):
            refused.clear()
            done = replay(build_strategy(strategy, Topic(given.words), {}), OnDemand(frozen), seeds, PAGES)
            lost = (refused.keys() & labelled) - set(done.urls)
            assert not {url: refused[url] for url in lost}, topic

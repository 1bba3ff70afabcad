"""Names, options, and strategies of other packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lagotto.base.errors import InputError, UnknownName
from lagotto.focus import registry
from lagotto.focus.topic import Topic
from lagotto.lab.checks import check_strategy

PLUGIN = """
from lagotto.focus.strategies.simple import BreadthFirst


class Plugin(BreadthFirst):
    name = "plugin"
    summary = "from elsewhere"
"""


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_strategy_keeps_the_contract(name: str) -> None:
    assert registry.strategy_class(name).name == name
    check_strategy(lambda: registry.build_strategy(name, Topic("birds feathers heron eagle"), {}))


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_options_are_kept_under_their_names(name: str) -> None:
    strategy = registry.build_strategy(name, Topic("birds"), {})
    for option, default in registry.options_of(type(strategy)).items():
        assert getattr(strategy, option) == default


def test_strategies_that_draw_at_random_have_the_crawls_seed() -> None:
    topic = Topic("birds")
    assert getattr(registry.build_strategy("neural", topic, {}, 7), "seed") == 7  # noqa: B009
    assert getattr(registry.build_strategy("neural", topic, {"seed": 3}, 7), "seed") == 3  # noqa: B009
    assert registry.build_strategy("bfs", topic, {}, 7).name == "bfs"


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="best-first"):
        registry.strategy_class("worst-first")


def test_unknown_and_wrong_options_are_told() -> None:
    with pytest.raises(InputError, match="no option 'speed'; its options: threshold"):
        registry.build_strategy("bfs", Topic("birds"), {"speed": 1})
    with pytest.raises(InputError, match="takes a float, not 'high'"):
        registry.build_strategy("bfs", Topic("birds"), {"threshold": "high"})


@pytest.mark.parametrize(
    ("name", "option", "sentence"),
    [
        ("scent", "prefer", "option 'prefer' of 'scent' is one of pages, hosts, not 'cats'"),
        ("neural", "train_on", "is one of pages, contexts"),
        ("dynamic", "window", "is one of new, all"),
        ("hybrid", "idf", "is one of background, topic"),
    ],
)
def test_a_choice_that_an_option_does_not_have_is_told(name: str, option: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        registry.build_strategy(name, Topic("birds"), {option: "cats"})


def test_a_strategy_of_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plugged.py").write_text(PLUGIN)
    described = tmp_path / "plugged-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text("[lagotto.strategies]\nplugin = plugged:Plugin\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        assert "plugin" in registry.names()
        assert (
            registry.build_strategy("plugin", Topic("birds"), {"threshold": 0.5}).summary == "from elsewhere"
        )
    finally:
        sys.modules.pop("plugged", None)

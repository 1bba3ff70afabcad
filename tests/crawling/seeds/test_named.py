from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.seeds import DEFAULT_ENGINES, Searxng, engines_named
from tests.crawling.seeds.searxng_server import get


def test_engines_of_a_searxng_instance_one_by_one() -> None:
    engines = engines_named(["searxng:https://h.org#bing, mojeek"], get)
    assert [engine.name for engine in engines] == ["bing at h.org", "mojeek at h.org"]


def test_a_searxng_instance_as_one_engine() -> None:
    (engine,) = engines_named(["searxng:http://127.0.0.1:8888/"], get)
    assert isinstance(engine, Searxng)
    assert engine.name == "127.0.0.1:8888"


def test_a_results_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("http://a.org/\n")
    (engine,) = engines_named([f"file:{path}"], get)
    assert engine.name == "mine"


def test_ddgs_engines_need_no_prefix() -> None:
    pytest.importorskip("ddgs")
    engines = engines_named([*DEFAULT_ENGINES, "ddgs:mojeek"], get, timeout=3)
    assert [engine.name for engine in engines] == ["duckduckgo", "brave", "startpage", "mojeek"]


def test_the_default_engines_have_different_indexes() -> None:
    found = pytest.importorskip("ddgs.engines").ENGINES["text"]
    assert len({found[name].provider for name in DEFAULT_ENGINES}) == 3


def test_an_unknown_kind_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="names no engine"):
        engines_named(["yahoo:bing"], get)


def test_what_is_advised_works_however_lagotto_was_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ddgs.engines", None)
    with pytest.raises(InputError, match="pip install ddgs"):
        engines_named(["brave"], get)

"""The example of docs/stores.md works with a real store."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from lagotto.lab.checks.stores import STORE_CHECKS
from lagotto.store.locations import GROUP
from tests.conftest import PROJECT
from tests.store.remote.client import SlowStorage, SlowStore
from tests.store.remote.running import running_server
from tests.test_docs import blocks

PAGE = PROJECT / "docs" / "stores.md"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The test module of the page, run against the store behind a server."""
    store = ModuleType("my_store")
    vars(store).update(MyStorage=SlowStorage, MyStore=SlowStore)
    monkeypatch.setitem(sys.modules, "my_store", store)
    names: dict[str, Any] = {}
    [code] = blocks(PAGE, "python")
    exec(code, names)
    return SimpleNamespace(**names)


async def test_the_example_runs_the_checks(example: Any, tmp_path: Path) -> None:
    with running_server(tmp_path, lose=3) as server:
        for name in ("check_seeds_are_queued_once", "check_stale_epochs_are_refused"):
            stores = example.MyStores(server)
            places: list[SlowStorage] = []
            place = stores.place
            stores.place = lambda place=place, places=places: places.append(place()) or places[-1]
            [check] = [each for each in STORE_CHECKS if getattr(each, "__name__", "") == name]
            await check(stores)
            for each in places:
                await each.crawl.aclose()
    [mark] = example.test_my_store.pytestmark
    assert mark.args[1] is STORE_CHECKS


def test_the_entry_point_is_the_one_that_is_looked_for() -> None:
    [declared] = blocks(PAGE, "toml")
    assert tomllib.loads(declared)["project"]["entry-points"] == {GROUP: {"my": "my_store:MyStorage"}}

"""A store behind a server keeps the contract, and a crawl with it loses nothing when it is killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from urllib.parse import quote

import pytest

from lagotto.base.errors import UnknownName
from lagotto.base.protocols import Storage, Store
from lagotto.lab.checks.stores import STORE_CHECKS, StoreCheck
from lagotto.store import storage_at
from tests.conftest import PROJECT
from tests.crawling.audit import audit, lagotto, run_killed_at
from tests.site import Site, tree_site, tree_url
from tests.store.remote.client import SlowStorage, SlowStore
from tests.store.remote.running import running_server

LOSE = 5
"""The reply to every fifth request is lost."""
PAGES = 240
KILLS = 6
AT_ONCE = 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Host and port of a server."""
    with running_server(tmp_path_factory.mktemp("server"), LOSE) as address:
        yield address


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the store as a package of a third party would: by an entry point."""
    metadata = tmp_path / "site" / "slow_store-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-store\nVersion: 1.0\n")
    point = "[lagotto.stores]\nslow = tests.store.remote.client:SlowStorage\n"
    (metadata / "entry_points.txt").write_text(point)
    monkeypatch.syspath_prepend(tmp_path / "site")
    paths = [str(tmp_path / "site"), str(PROJECT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


class SlowStores:
    """Each place is another name on the server."""

    def __init__(self, server: str, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self._places: list[SlowStorage] = []

    def place(self) -> Storage:
        name = f"{self._folder.name}-{len(self._places)}"
        files = quote(str(self._folder / name))
        self._places.append(SlowStorage(f"slow://{self._server}/{name}?files={files}"))
        return cast(Storage, self._places[-1])

    async def close(self) -> None:
        for place in self._places:
            await place.crawl.aclose()

    def kill(self, store: Store) -> None:
        """The connection ends; the server keeps the session of the killed worker."""
        assert isinstance(store, SlowStore)
        store.connection.close()

    async def beside(self, storage: Storage) -> Store:
        return await storage.open()


@pytest.mark.parametrize("check", STORE_CHECKS)
async def test_contract(check: StoreCheck, server: str, tmp_path: Path) -> None:
    stores = SlowStores(server, tmp_path)
    try:
        await check(stores)
    finally:
        await stores.close()


def test_a_store_is_found_by_its_entry_point(plugin: None) -> None:
    storage = storage_at("slow://127.0.0.1:1/name?files=/tmp/x")
    assert isinstance(storage, SlowStorage)
    assert (storage.location, storage.folder) == ("slow://127.0.0.1:1/name?files=/tmp/x", Path("/tmp/x"))
    with pytest.raises(UnknownName, match="no store for 'other://'"):
        storage_at("other://127.0.0.1:1/name")


@pytest.mark.timeout(300)
async def test_kills_lose_nothing(server: str, plugin: None, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    location = f"slow://{server}/killed?files={quote(str(folder))}"
    async with Site({}, addresses=[f"127.0.8.{n}" for n in range(1, 9)]) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        expected = {tree_url(number, site.hosts) for number in range(PAGES)}
        first = ["crawl", "birds", "--seed", tree_url(0, site.hosts), "-o", location, "--delay", "0"]
        first += ["--allow-private", "127.0.0.0/8", "--concurrency", str(AT_ONCE), "--strategy", "scent"]
        counts = [PAGES * n // (KILLS + 1) for n in range(1, KILLS + 1)]
        assert await run_killed_at(counts, site, first, ["resume", location]) == KILLS
        found = audit(location, site, expected, folder)
    assert (found.lost, found.double_commits, found.double_records) == (0, 0, 0)
    assert found.refetches <= KILLS * 2 * AT_ONCE
    assert SlowStorage(location).lost()["commit"] > 0, "no reply to a commit was lost"
    assert f"{PAGES} with status 200" in lagotto("status", location)

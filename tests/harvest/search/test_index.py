"""Names by which hosts are found, and the lock of the index."""

from __future__ import annotations

from pathlib import Path

import pytest

import lagotto
from lagotto.base.errors import CrawlDirectoryError, DiskFull
from lagotto.harvest.search import search
from lagotto.harvest.search.index import host_names, locked
from tests.harvest.export import shelf
from tests.harvest.export.test_formats import full_disk
from tests.harvest.search.birds import STORK, Birds


@pytest.mark.parametrize(
    ("host", "names"),
    [
        ("example.org", ["example.org", "org"]),
        ("127.0.0.1:80", ["127.0.0.1:80", "127.0.0.1"]),
        ("[::1]:80", ["[::1]:80", "[::1]"]),
        ("[::1]", ["[::1]"]),
        ("localhost", ["localhost"]),
    ],
)
def test_names_of_a_host(host: str, names: list[str]) -> None:
    assert host_names(host) == names


def test_one_lock_at_a_time(tmp_path: Path) -> None:
    with locked(tmp_path / "index", wait=False) as first:
        assert first
        with locked(tmp_path / "index", wait=False) as second:
            assert not second
    with locked(tmp_path / "index", wait=True) as third:
        assert third


def test_a_folder_that_cannot_be_made_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(CrawlDirectoryError, match="cannot be used"),
        locked(tmp_path / "file" / "x", wait=True),
    ):
        pass


def test_a_full_disk_is_said_in_a_sentence_and_costs_nothing(birds: Birds) -> None:
    with full_disk(200), pytest.raises(DiskFull, match="no room is left"):
        lagotto.search(birds.directory, "heron")
    assert lagotto.search(birds.directory, "stork").total == 1
    birds.change(STORK, "Storks nest on chimneys.")
    with full_disk(200), pytest.raises(DiskFull, match="no room is left"):
        lagotto.search(birds.directory, "heron")
    assert lagotto.search(birds.directory, "chimneys").total == 1


def test_an_index_that_is_a_symbolic_link_is_not_written(tmp_path: Path) -> None:
    shelf.make(tmp_path / "crawl")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("kept")
    (tmp_path / "crawl" / "index").symlink_to(tmp_path / "mine")
    with pytest.raises(CrawlDirectoryError, match="is a symbolic link"):
        search(tmp_path / "crawl", "text")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]

"""Files beside a crawl."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lagotto.base.errors import DiskFull
from lagotto.store import storage_at
from lagotto.store.durable import write_whole
from lagotto.store.locations import side_folder


def test_files_lie_in_the_crawl_or_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert side_folder(storage_at(tmp_path), "index") == tmp_path / "index"
    memory = side_folder(storage_at(":memory:"), "index")
    assert memory.parent == tmp_path / "cache" / "lagotto" / "index"


def test_nothing_half_written_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "new" / "file", b"old")

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull):
        write_whole(tmp_path / "new" / "file", b"new")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["file"]
    assert (tmp_path / "new" / "file").read_bytes() == b"old"

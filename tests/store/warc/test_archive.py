"""Files of several workers, in a folder and in an object store."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from lagotto.base.errors import CrawlDirectoryError, InputError
from lagotto.base.records import Fetched, WarcPlace
from lagotto.store.warc.archive import Archive, ObjectStore, seal_abandoned
from lagotto.store.warc.reading import read_response, response_of
from tests.store.validators import assert_all_valid


def answer(number: int) -> Fetched:
    body = f"<title>Page {number}</title>".encode()
    return Fetched(f"http://a.example/{number}", 200, body=body, wire=body, fetched_at=1_700_000_000.0)


@pytest.mark.parametrize("scheme", ["memory", "file"])
def test_finished_files_are_copied_to_the_object_store(scheme: str, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    url = f"memory://{uuid4().hex}" if scheme == "memory" else f"file://{tmp_path}/there"
    archive = Archive(url, "one-1", max_bytes=400)
    places = [archive.writer.append(answer(number)) for number in range(6)]
    sealed = archive.take_sealed()
    there = ObjectStore(url)
    assert 0 < len(sealed) < 6
    assert there.names() == sealed
    with pytest.raises(CrawlDirectoryError, match="finished"):
        there.read(places[-1])
    sealed += archive.close()
    assert there.names() == sorted(sealed)
    for number, place in enumerate(places):
        assert response_of(there.read(place), place, place.file).body == answer(number).body
    if scheme == "file":
        assert_all_valid(tmp_path / "there" / "warc")


def test_workers_that_share_a_folder_have_files_of_their_own(tmp_path: Path) -> None:
    archives = [Archive(str(tmp_path), owner, max_bytes=1000) for owner in ("one-1", "two-2")]
    places = [archive.writer.append(answer(n)) for n in range(4) for archive in archives]
    sealed = [name for archive in archives for name in archive.close()]
    assert {place.file for place in places} == set(sealed)
    assert sorted(path.name for path in (tmp_path / "warc").iterdir()) == sorted(sealed)
    assert read_response(tmp_path / "warc", places[0]).url == "http://a.example/0"
    assert_all_valid(tmp_path / "warc")


def test_what_a_dead_worker_left_is_cut_after_its_last_commit(tmp_path: Path) -> None:
    archive = Archive(str(tmp_path), "dead-1", max_bytes=1 << 20)
    first, second = (archive.writer.append(answer(number)) for number in (0, 1))
    archive.close()
    path = tmp_path / "warc" / first.file
    path.write_bytes(path.read_bytes() + b"torn")
    ends = {first.file: first.offset + first.length, "dead-1-elsewhere.warc.gz": 10}
    assert seal_abandoned(str(tmp_path), ends) == [first.file]
    assert path.stat().st_size == ends[first.file]
    assert read_response(tmp_path / "warc", first).url == "http://a.example/0"
    assert second.offset >= ends[first.file]


def test_a_refused_commit_leaves_nothing_behind(tmp_path: Path) -> None:
    archive = Archive(str(tmp_path), "one-1", max_bytes=1 << 20)
    kept = archive.writer.append(answer(0))
    archive.writer.committed()
    archive.writer.append(answer(1))
    archive.writer.cut_back()
    again = archive.writer.append(answer(2))
    archive.close()
    assert again.offset > kept.offset
    assert [read_response(tmp_path / "warc", place).url[-1] for place in (kept, again)] == ["0", "2"]
    assert_all_valid(tmp_path / "warc")


def test_places_that_nobody_knows_are_refused() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match="no place for WARC files"):
        ObjectStore("nowhere://bucket/x")
    with pytest.raises(CrawlDirectoryError):
        ObjectStore(f"memory://{uuid4().hex}").read(WarcPlace("missing.warc.gz", 0, 10))

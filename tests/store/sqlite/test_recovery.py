"""Damage is found before anything is built on it, and named; a power cut costs the last commits at most."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest

from lagotto.base.errors import CrawlDirectoryError, DamagedStore, NewerStore, NotACrawl
from lagotto.base.protocols.storage import Severity
from lagotto.lab.checks.store_calls import HOME, link, outcome, seed
from lagotto.store.columns import FORMAT
from lagotto.store.sqlite import database, lock
from lagotto.store.sqlite.doctor import accept, examine
from lagotto.store.sqlite.reader import SqliteReader
from tests.store.blocking import Blocking


def a_crawl(directory: Path, commits: int = 8) -> Blocking:
    """A store, still open, with some commits."""
    store = Blocking.create(directory)
    store.hold_all()
    store.add_seeds([seed()])
    for number in range(commits):
        lease = store.top()[0]
        store.commit([outcome(lease, *(link(f"{HOME}{number}/{n}", parent=lease.url) for n in range(3)))])
    return store


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("closed")
    a_crawl(directory).close()
    return directory


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a killed process leaves: commits that are only in the write-ahead log."""
    directory = tmp_path_factory.mktemp("killed")
    store = a_crawl(directory / "running")
    shutil.copytree(directory / "running", directory / "killed")
    store.kill()
    return directory / "killed"


def copied(directory: Path, target: Path) -> Path:
    return Path(shutil.copytree(directory, target / "copy"))


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_every_flipped_byte_is_found(closed: Path, tmp_path: Path) -> None:
    directory = copied(closed, tmp_path)
    path = directory / database.FILE
    whole = path.read_bytes()
    chosen = random.Random(5)
    for offset in chosen.sample(range(len(whole)), 200):
        flipped = bytearray(whole)
        flipped[offset] ^= 1 << chosen.randrange(8)
        path.write_bytes(flipped)
        with pytest.raises(CrawlDirectoryError, match=database.FILE):
            Blocking.open(directory)
        assert path.read_bytes() == flipped, "a damaged file was changed"
        assert any(finding.severity is Severity.ERROR for finding in examine(directory))
    path.write_bytes(whole)
    Blocking.open(directory).close()


def test_every_cut_is_found(closed: Path, tmp_path: Path) -> None:
    directory = copied(closed, tmp_path)
    path = directory / database.FILE
    whole = path.read_bytes()
    for length in [0, 1, 50, 99, 100, *random.Random(6).sample(range(101, len(whole)), 45)]:
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedStore, match=database.FILE):
            Blocking.open(directory)
        with pytest.raises(DamagedStore, match=database.FILE):
            SqliteReader.open(directory).status()


def test_flips_after_a_kill_never_lose_commits_silently(killed: Path, tmp_path: Path) -> None:
    """The write-ahead log has checksums; the database, which no process has closed, only its structure."""
    commits = lock.last_trace(killed)
    assert commits is not None
    directory = copied(killed, tmp_path)
    chosen = random.Random(7)
    wal = (killed / f"{database.FILE}-wal").read_bytes()
    refused = 0
    for offset in chosen.sample(range(len(wal)), 60):
        shutil.rmtree(directory)
        copied(killed, tmp_path)
        flipped = bytearray(wal)
        flipped[offset] ^= 1 << chosen.randrange(8)
        (directory / f"{database.FILE}-wal").write_bytes(flipped)
        try:
            store = Blocking.open(directory)
        except DamagedStore:
            refused += 1
        else:
            assert (store.known, store.concluded) == (25, 8)
            store.close()
    assert refused > 30


def test_a_removed_log_is_missed(killed: Path, tmp_path: Path) -> None:
    directory = copied(killed, tmp_path)
    (directory / f"{database.FILE}-wal").unlink()
    for _ in range(2):
        with pytest.raises(DamagedStore, match=r"crawl\.db-wal is missing"):
            Blocking.open(directory)
    assert any("commits are missing" in finding.sentence for finding in examine(directory))
    accept(directory)
    Blocking.open(directory).close()


def test_a_new_crawl_is_not_built_on_the_log_of_a_lost_one(killed: Path, tmp_path: Path) -> None:
    directory = copied(killed, tmp_path)
    (directory / database.FILE).unlink()
    (directory / "crawl.new").write_bytes(b"half made")
    store = Blocking.create(directory)
    assert (store.known, store.concluded) == (0, 0)
    store.close()
    Blocking.open(directory).close()


def test_a_killed_crawl_opens_with_all_its_commits(killed: Path, tmp_path: Path) -> None:
    store = Blocking.open(copied(killed, tmp_path))
    assert (store.known, store.concluded, len(store.notes)) == (25, 8, 1)
    store.close()


def test_a_stop_while_the_log_is_brought_home_loses_nothing(tmp_path: Path) -> None:
    """The first page already tells of pages that are still in the log alone."""
    store = a_crawl(tmp_path / "running")
    for n in range(40):
        lease = store.top("a.example", 1, 0)[0]
        store.commit([outcome(lease, *(link(f"{HOME}more/{n}/{m}", parent=lease.url) for m in range(20)))])
    stopped = copied(tmp_path / "running", tmp_path)
    known = store.known
    store.close()
    whole = (tmp_path / "running" / database.FILE).read_bytes()
    home = stopped / database.FILE
    assert home.stat().st_size < len(whole)
    with home.open("r+b") as stream:
        stream.write(whole[:4096])
    reopened = Blocking.open(stopped)
    assert (reopened.known, reopened.concluded) == (known, 48)
    reopened.close()
    assert {finding.severity for finding in examine(stopped)} == {Severity.GOOD}


def test_a_power_cut_costs_the_last_commits_and_nothing_else(killed: Path, tmp_path: Path) -> None:
    """After another boot any tail of the log may be missing or stale: what is left is a whole past."""
    directory = copied(killed, tmp_path)
    wal = (killed / f"{database.FILE}-wal").read_bytes()
    chosen = random.Random(8)
    found = set()
    for _ in range(25):
        shutil.rmtree(directory)
        copied(killed, tmp_path)
        keep = chosen.randrange(len(wal))
        stale = bytes(4096) * chosen.randrange(3)
        (directory / f"{database.FILE}-wal").write_bytes(wal[:keep] + stale)
        trace = lock.last_trace(directory)
        assert trace is not None
        trace.boot = "another"
        (directory / lock.FILE).write_bytes(msgspec.json.encode(trace))
        store = Blocking.open(directory)
        assert "unclean" in store.notes[0]
        assert store.known in (0, 1, *(1 + 3 * store.concluded,))
        found.add(store.concluded)
        store.hold_all()
        store.add_seeds([seed()])
        while leases := store.top("a.example", 1, 0):
            number = store.concluded
            if number >= 8:
                break
            links = [link(f"{HOME}{number}/{n}", parent=leases[0].url) for n in range(3)]
            store.commit([outcome(leases[0], *links)])
        assert (store.known, store.concluded) == (25, 8)
        store.close()
        assert {finding.severity for finding in examine(directory)} == {Severity.GOOD}
    assert len(found) > 3


@pytest.mark.parametrize(
    ("version", "error", "said"),
    [
        (FORMAT + 1, NewerStore, "newer Lagotto .*; install that version"),
        (FORMAT - 1, CrawlDirectoryError, "too old for this Lagotto .*; crawl again"),
    ],
)
def test_another_version_is_refused(
    closed: Path, tmp_path: Path, version: int, error: type[Exception], said: str
) -> None:
    directory = copied(closed, tmp_path)
    with sqlite3.connect(directory / database.FILE) as db:
        db.execute(f"PRAGMA user_version = {version}")
    db.close()
    before = contents(directory)
    for opening in (Blocking.open, SqliteReader.open):
        with pytest.raises(error, match=said):
            opening(directory)
    assert contents(directory) == before


def test_a_directory_that_is_no_crawl_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    for directory in (tmp_path, tmp_path / "nowhere"):
        for opening in (Blocking.open, SqliteReader.open):
            with pytest.raises(NotACrawl, match="no crawl in"):
                opening(directory)
    assert contents(tmp_path) == {"thesis.txt": b"mine"}


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / database.FILE) as db:
        db.execute("CREATE TABLE accounts (name TEXT)")
    db.close()
    before = contents(tmp_path)
    for opening in (Blocking.open, SqliteReader.open):
        with pytest.raises(NotACrawl, match="other program"):
            opening(tmp_path)
    with pytest.raises(CrawlDirectoryError, match="already"):
        Blocking.create(tmp_path)
    assert contents(tmp_path) == before


def test_a_second_crawl_in_a_directory_is_refused(closed: Path, tmp_path: Path) -> None:
    directory = copied(closed, tmp_path)
    with pytest.raises(CrawlDirectoryError, match="lagotto resume"):
        Blocking.create(directory)
    (tmp_path / "old" / "warc").mkdir(parents=True)
    (tmp_path / "old" / "warc" / "lagotto-00000.warc.gz").write_bytes(b"precious")
    with pytest.raises(CrawlDirectoryError, match="choose another"):
        Blocking.create(tmp_path / "old")


def test_a_change_by_hand_is_refused_until_accepted(closed: Path, tmp_path: Path) -> None:
    directory = copied(closed, tmp_path)
    with sqlite3.connect(directory / database.FILE) as db:
        db.execute("UPDATE pages SET title = 'Better' WHERE page = 1")
    db.close()
    with pytest.raises(DamagedStore, match="not as Lagotto left it"):
        Blocking.open(directory)
    accept(directory)
    store = Blocking.open(directory)
    assert store.notes == []
    assert next(store.reader().rows()).title == "Better"
    store.close()


def test_structural_damage_is_not_accepted(closed: Path, tmp_path: Path) -> None:
    directory = copied(closed, tmp_path)
    path = directory / database.FILE
    whole = bytearray(path.read_bytes())
    for page in range(8, len(whole) // 4096):
        whole[page * 4096 : page * 4096 + 64] = os.urandom(64)
    path.write_bytes(whole)
    with pytest.raises(DamagedStore):
        accept(directory)

"""Full disks, read-only disks, too many open files: said in a sentence, and nothing is lost."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lagotto.base.errors import CrawlDirectoryError, DiskFull
from lagotto.base.records import Outcome
from lagotto.lab.checks.store_calls import HOME, link, outcome, seed
from lagotto.store.sqlite import database
from tests.conftest import PROJECT
from tests.store.blocking import Blocking


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file can grow beyond this size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def started(directory: Path) -> Blocking:
    store = Blocking.create(directory)
    store.hold_all()
    store.add_seeds([seed()])
    return store


def large_outcome(store: Blocking) -> Outcome:
    return outcome(store.top()[0], *(link(f"{HOME}{n}?{'x' * 500}", n / 1000) for n in range(400)))


def test_a_commit_that_found_no_room_can_be_repeated(tmp_path: Path) -> None:
    store = started(tmp_path)
    large = large_outcome(store)
    with files_up_to((tmp_path / f"{database.FILE}-wal").stat().st_size + 20_000):
        for _ in range(2):
            with pytest.raises(DiskFull, match="nothing is lost"):
                store.commit([large])
            assert (store.known, store.concluded) == (1, 0)
            assert [lease.url for lease in store.top()] == [HOME]
    assert store.commit([large]).new == 400
    assert len(store.top()) == 400
    store.kill()
    store = Blocking.open(tmp_path)
    assert (store.known, store.concluded) == (401, 1)
    store.close()


def test_sqlite_that_is_full_says_so(tmp_path: Path) -> None:
    store = started(tmp_path)
    pages = store.db.execute("PRAGMA page_count").fetchone()[0]
    large = large_outcome(store)
    store.db.execute(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(DiskFull, match=database.FILE):
        store.commit([large])
    store.db.execute("PRAGMA max_page_count = 1000000")
    assert store.commit([large]).new == 400
    store.close()


def test_a_crawl_that_found_no_room_to_begin_is_not_there(tmp_path: Path) -> None:
    with files_up_to(30_000), pytest.raises(DiskFull):
        Blocking.create(tmp_path / "crawl")
    assert not (tmp_path / "crawl" / database.FILE).exists()
    Blocking.create(tmp_path / "crawl").close()


def test_too_many_open_files_is_a_sentence(tmp_path: Path) -> None:
    Blocking.create(tmp_path).close()
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, before[1]))
        with pytest.raises(CrawlDirectoryError, match="cannot be used"):
            Blocking.open(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    Blocking.open(tmp_path).close()


def test_a_file_where_the_directory_should_be(tmp_path: Path) -> None:
    (tmp_path / "crawl").write_text("a file")
    with pytest.raises(CrawlDirectoryError, match="cannot be used"):
        Blocking.create(tmp_path / "crawl")
    with pytest.raises(CrawlDirectoryError, match="no crawl"):
        Blocking.open(tmp_path / "crawl")


ON_A_SMALL_DISK = """
import subprocess, sys
from pathlib import Path
from lagotto.base.errors import CrawlDirectoryError, DiskFull
from lagotto.store import WarcWriter
from lagotto.store.sqlite.reader import SqliteReader
from tests.store.blocking import Blocking
from tests.store.sqlite.test_no_room import large_outcome, started
from tests.store.warc.test_writer import answer

disk = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], check=True)
store = started(disk / "crawl")
warc = WarcWriter(disk / "crawl" / "warc", {})
large = large_outcome(store)
filler = disk / "filler"
try:
    with filler.open("wb", buffering=0) as stream:
        while True:
            stream.write(bytes(4096))
except OSError:
    pass
for act in (lambda: store.commit([large]), lambda: warc.append(answer())):
    try:
        act()
    except DiskFull:
        continue
    raise SystemExit("the disk was not full")
filler.unlink()
large.warc = warc.append(answer())
assert store.commit([large]).new == 400
warc.close()
store.close()
subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
try:
    Blocking.open(disk / "crawl")
except CrawlDirectoryError as error:
    assert "Read-only" in str(error), error
else:
    raise SystemExit("a read-only disk was opened for writing")
with SqliteReader.open(disk / "crawl") as reader:
    assert reader.status().known == 401
    [page] = reader.stored_pages()
    assert reader.body(page.place).body == answer().body
print("done")
"""


def test_a_disk_that_fills_up_and_one_that_cannot_be_written(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "true"], capture_output=True).returncode:
        pytest.skip("needs `unshare -rm`, which this machine does not allow")
    command = [unshare, "-rm", sys.executable, "-c", ON_A_SMALL_DISK, str(tmp_path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr

"""Cut the power of a crawl, again and again: what was not yet synced is gone.

A library that is preloaded keeps what was synced of each file and folder (`power_cut.c`). At a cut the crawl
is killed and its directory is put together from that. A disk may also have written more than it had to: in
every second cut it is drawn for each file and each name whether it is as it was synced, or as it was written.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from lagotto.base.errors import LagottoError, NotACrawl
from lagotto.harvest.export import export
from lagotto.store import storage_at
from lagotto.store.sqlite.database import connect_to_read
from lagotto.store.sqlite.doctor import commits_in
from lagotto.store.sqlite.lock import boot_id
from tests.crawling.audit import audit
from tests.site import Site, tree_site, tree_url

SOURCE = Path(__file__).with_name("power_cut.c")
ADDRESSES = [f"127.0.9.{n}" for n in range(1, 9)]
PAGES = 600
CUTS = 200
AT_ONCE = 8
LAGOTTO = "from lagotto.cli import main; main()"
UNSYNCED = f"import lagotto.store.durable as durable; durable.sync = lambda file: None; {LAGOTTO}"
"""A Lagotto that syncs no file of its own: what it loses must be found."""
FORMATS = ("cdxj", "folder", "jsonl")


def built(folder: Path) -> Path | None:
    """The library, compiled; None if there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    library = folder / "power_cut.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE)], check=True)
    return library


@dataclass
class Disk:
    """A directory on a disk whose power can be cut."""

    library: Path
    directory: Path
    kept: Path
    random: Random = field(default_factory=lambda: Random(0))

    def environment(self) -> dict[str, str]:
        """Variables of processes that write to the disk."""
        return os.environ | {"LD_PRELOAD": str(self.library), "POWER_CUT_KEPT": str(self.kept)}

    def cut(self, *, drawn: bool = False) -> None:
        """Leave of the directory what was synced; if `drawn`, some of what was not synced stays too."""
        after = Path(tempfile.mkdtemp(dir=self.directory.parent))
        self._leave(self.directory, _identity(self.directory), after, drawn)
        shutil.rmtree(self.directory)
        after.rename(self.directory)
        shutil.rmtree(self.kept)
        self.kept.mkdir()
        lock = self.directory / "crawl.lock"
        if lock.exists():  # The machine was started again, which gives the run of the system another name.
            lock.write_bytes(lock.read_bytes().replace(boot_id().encode(), b"0" * len(boot_id())))
        sync_all(self)

    def _leave(self, folder: Path, identity: str, after: Path, drawn: bool) -> None:
        listing = self.kept / f"d-{identity}"
        synced = {name: rest for name, *rest in _entries(listing)}
        written = {
            path.name: ["d" if path.is_dir() else "f", _identity(path)]
            for path in (folder.iterdir() if folder.is_dir() else ())
        }
        for name in sorted(synced.keys() | written.keys()):
            entries = written if drawn and self.random.random() < 0.5 else synced
            if name not in entries or name.endswith("-shm"):
                continue
            kind, of_entry = entries[name]
            if kind == "d":
                (after / name).mkdir()
                self._leave(folder / name, of_entry, after / name, drawn)
            else:
                there = folder / name if written.get(name) == [kind, of_entry] else None
                (after / name).write_bytes(self._content(of_entry, there, drawn))

    def _content(self, identity: str, there: Path | None, drawn: bool) -> bytes:
        copy = self.kept / f"f-{identity}"
        synced = copy.read_bytes() if copy.exists() else b""
        if not drawn or there is None or self.random.random() < 0.5:
            return synced
        written = there.read_bytes()
        end = self.random.choice((len(written), self.random.randrange(len(written) + 1) & ~511))
        return written[:end] + synced[end:]


def _entries(listing: Path) -> Iterator[list[str]]:
    """Name, type and identity of what a folder held when it was synced."""
    for line in listing.read_text().splitlines() if listing.exists() else ():
        kind, identity, name = line.split(" ", 2)
        yield [name, kind, identity]


def _identity(path: Path) -> str:
    """Inode and time of birth, as the library names its copies."""
    found = subprocess.run(["stat", "-c", "%i %.9W", str(path)], capture_output=True, text=True, check=True)
    inode, _, birth = found.stdout.strip().partition(" ")
    return f"{inode}-{birth}"


def sync_all(disk: Disk) -> None:
    """Count all that is in the directory as synced."""
    script = """
import os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for path in (*(os.path.join(folder, name) for name in names), folder):
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.close(file)
file = os.open(os.path.dirname(sys.argv[1]), os.O_RDONLY)
os.fsync(file)
"""
    subprocess.run([sys.executable, "-c", script, str(disk.directory)], env=disk.environment(), check=True)


@dataclass
class Found:
    """What came of a crawl whose power was cut."""

    cuts: int = 0
    lost_answers: int = 0
    """Answers that were missing after a cut, of pages that the crawl knew."""
    lost_commits: int = 0
    stopped: Counter[str] = field(default_factory=Counter)
    """Commands and exports that ended with an error, by the error."""
    lost: int = 0
    twice: int = 0
    """Pages that are missing at the end, and those that were committed twice."""
    missing_at_end: int = 0

    @property
    def bad(self) -> bool:
        """Whether a promise was broken."""
        return bool(self.lost or self.twice or self.missing_at_end or self.stopped)


async def cut_crawl(
    folder: Path,
    library: Path,
    cuts: int,
    *,
    pages: int = PAGES,
    program: str = LAGOTTO,
    options: tuple[str, ...] = (),
    drawn: bool = True,
) -> Found:
    """Crawl a site of so many pages while the power is cut so often, and look at what is kept."""
    disk = Disk(library, folder / "crawl", folder / "kept")
    disk.directory.mkdir()
    disk.kept.mkdir()
    sync_all(disk)
    found = Found()
    async with Site({}, addresses=ADDRESSES) as site:
        site.pages.update(tree_site(pages, site.hosts))
        seed = tree_url(0, site.hosts)
        first = ["crawl", "birds", "--seed", seed, "-o", str(disk.directory), "--delay", "0", *options]
        first += ["--strategy", "bfs", "--concurrency", str(AT_ONCE), "--allow-private", "127.0.0.0/8"]
        again = ["resume", str(disk.directory)]
        for _ in range(cuts):
            arguments = again if (disk.directory / "crawl.db").exists() else first
            # A single cut must come before the end, and after the first checkpoint.
            least, most = (1, 2 * pages // cuts) if cuts > 1 else (pages // 2, pages * 3 // 4)
            served = disk.random.randrange(least, max(least + 1, min(most, pages - 1)))
            code, said = await _run(disk, site, program, arguments, served)
            if code != -signal.SIGKILL:
                if code:
                    found.stopped[said] += 1
                break
            found.cuts += 1
            before = _commits(disk.directory)
            disk.cut(drawn=drawn and bool(found.cuts % 2))
            found.lost_commits += before - _commits(disk.directory)
            _export_all(disk.directory, found)
        for arguments in (again, ["doctor", str(disk.directory)]):
            code, said = await _run(disk, site, program, arguments)
            found.stopped.update([said] if code else [])
        if not found.stopped:
            kept = audit(disk.directory, site, {tree_url(number, site.hosts) for number in range(pages)})
            found.lost, found.twice = kept.lost, kept.double_commits
            before = found.lost_answers
            _export_all(disk.directory, found)
            found.missing_at_end = found.lost_answers - before
            found.lost_answers = before
    return found


async def _run(
    disk: Disk, site: Site, program: str, arguments: list[str], served: int = 0
) -> tuple[int, str]:
    """Run a command; it is killed when the site has served so many pages more. Returns code and last line."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        *arguments,
        env=disk.environment(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    left = [served]

    def strike(request: object) -> None:
        left[0] -= 1
        if left[0] == 0 and process.returncode is None:
            os.kill(process.pid, signal.SIGKILL)

    site.on_request = strike
    said, _ = await process.communicate()
    lines = said.decode().strip().splitlines() or [""]
    assert process.returncode is not None
    return process.returncode, f"{arguments[0]}: {lines[-1].replace(str(disk.directory), 'DIR')}"


def _commits(directory: Path) -> int:
    """Commits in the database; 0 if there is none."""
    path = directory / "crawl.db"
    if not path.exists():
        return 0
    with closing(connect_to_read(path)) as db:
        return commits_in(db)


def _export_all(directory: Path, found: Found) -> None:
    """Export in formats that read each answer; what they lack is counted."""
    with tempfile.TemporaryDirectory() as folder:
        for format in FORMATS:
            try:
                with storage_at(directory).reader() as reader:
                    given: dict[str, Any] = {"with_text": True} if format != "cdxj" else {}
                    export(reader, format, Path(folder) / f"{format}.{format}", **given)
                    lost = len(reader.lost_answers)
            except NotACrawl:
                return
            except LagottoError as error:
                sentence = str(error).replace(str(directory), "DIR")
                found.stopped[f"export {format}: {sentence}"] += 1
                lost = 0
        found.lost_answers += lost


def main() -> int:
    """Print what came of the cuts; returns 1 if a promise was broken."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        library = built(Path(folder))
        if library is None:
            print("power cuts are not tried: there is no C compiler")
            return 0
        for name, options in {"default": (), "--durability full": ("--durability", "full")}.items():
            place = Path(folder) / f"{len(options)}"
            place.mkdir()
            found = asyncio.run(cut_crawl(place, library, CUTS, pages=CUTS * 30, options=options))
            failed |= found.bad
            print(
                f"{name}: {found.cuts} power cuts, {found.lost_answers} answers and {found.lost_commits} "
                "commits lost and fetched again, "
                f"{found.lost} pages lost, {found.twice} committed twice, {found.missing_at_end} answers "
                f"missing at the end, {found.stopped.total()} commands stopped {dict(found.stopped)}",
                flush=True,
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

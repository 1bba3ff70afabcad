"""Damage to the files of a crawl: the same content is read, or a sentence says what is wrong.

A crawl is kept as it is when it was closed, and as it is when it was killed. Then one file at a time is
deleted, cut or has one bit flipped, and all that `export`, `status` and `explain` show is read from the copy.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from audit.trap_sites import TOPIC, Site, TrapServer
from lagotto.base.errors import LagottoError
from lagotto.base.protocols.storage import Severity
from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at

PAGES = 40
FLIPS = 300
"""Flipped bits of each larger file; a small file gets one for each byte."""
CUTS = 30
SAME, SAID, SILENT, CRASHED, UNSEEN = "same", "said so", "changed silently", "crashed", "not seen by doctor"
BAD = (SILENT, CRASHED, UNSEEN)
_WITHOUT_CONTENT = frozenset({"crawl.db-shm", "lagotto.log"})


class Damage(NamedTuple):
    """What is done to one file: its new content, None if it is deleted."""

    file: str
    what: str
    content: bytes | None


async def make_crawls(folder: Path, pages: int = PAGES) -> list[Path]:
    """A crawl that was closed, one that was killed, and one that was killed when its log was empty."""
    closed, killed, emptied = folder / "closed", folder / "killed", folder / "killed-without-log"
    with TrapServer(Site()) as server:
        given = {"topic": TOPIC, "seeds": [server.site.seed], "proxy": server.proxy, "delay": 0.0}
        config = configuration.from_values(given | {"max_pages": pages, "concurrency": 1})
        async with Crawl(config, closed) as crawl:
            await crawl.run()
            shutil.copytree(closed, killed)
    shutil.copytree(killed, emptied)
    with closing(sqlite3.connect(emptied / "crawl.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return [closed, killed, emptied]


def contents(directory: Path) -> Any:
    """All that a user reads of a crawl."""
    storage = storage_at(directory)
    config = storage.config()
    with storage.reader() as reader:
        pages = list(reader.stored_pages(with_text=True))
        bodies = [reader.body(page.place).wire for page in pages if page.place is not None]
        histories = [reader.history(page.row.url) for page in pages]
        return config, reader.status(), pages, bodies, histories


def damages(directory: Path, flips: int, cuts: int) -> Iterator[Damage]:
    """All that is done to the files of a crawl, one at a time."""
    for path in sorted(directory.rglob("*")):
        name = str(path.relative_to(directory))
        if not path.is_file() or name in _WITHOUT_CONTENT:
            continue
        whole, random = path.read_bytes(), Random(name)
        yield Damage(name, "deleted", None)
        for length in sorted(random.sample(range(len(whole)), min(cuts, len(whole)))):
            yield Damage(name, f"cut to {length} bytes", whole[:length])
        for place in sorted(random.sample(range(len(whole)), min(flips, len(whole)))):
            bit = random.randrange(8)
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            yield Damage(name, f"bit {bit} of byte {place} flipped", bytes(changed))


def outcome(damage: Damage, copy: Path, before: Any) -> str:
    """What comes of reading a damaged copy."""
    path = copy / damage.file
    if damage.content is None:
        path.unlink()
    else:
        path.write_bytes(damage.content)
    try:
        return SAME if contents(copy) == before else SILENT
    except LagottoError:
        found = storage_at(copy).examine()
        return SAID if any(finding.severity is not Severity.GOOD for finding in found) else UNSEEN
    except Exception as error:
        return f"{CRASHED} ({type(error).__name__})"


def try_all(directory: Path, copy: Path, flips: int, cuts: int) -> Iterator[tuple[Damage, str]]:
    """Every damage with what came of it."""
    before = contents(directory)
    for damage in damages(directory, flips, cuts):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(directory, copy)
        yield damage, outcome(damage, copy, before)


def main(arguments: Sequence[str] = ()) -> int:
    """Print what came of all damages; returns 1 if one changed something silently or led to a crash."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for directory in asyncio.run(make_crawls(Path(folder))):
            counts: Counter[str] = Counter()
            for damage, came in try_all(directory, Path(folder) / "copy", FLIPS, CUTS):
                counts[came] += 1
                if came.startswith(BAD):
                    failed += 1
                    print(f"{directory.name}: {damage.file} {damage.what}: {came}", flush=True)
            figures = ", ".join(f"{came} {count}" for came, count in counts.most_common())
            print(f"{directory.name}: {figures}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

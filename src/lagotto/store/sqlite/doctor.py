"""Checks of a crawl directory: quick ones before it is opened, all there are for `lagotto doctor`.

Was it stopped cleanly, killed, cut off by a power failure, or damaged?
"""

from __future__ import annotations

import logging
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from lagotto.base.errors import CrawlDirectoryError, DamagedStore, LostAnswer
from lagotto.base.protocols.storage import Finding, Severity
from lagotto.base.records import Reason, WarcPlace
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sqlite import config_file, database
from lagotto.store.sqlite.checksums import broken_rows, broken_texts, seal_all
from lagotto.store.sqlite.lock import Lock, Trace, boot_id, holder, last_trace
from lagotto.store.warc import writer as warc
from lagotto.store.warc.reading import read_records, read_response

_log = logging.getLogger(__name__)

CHECKED_AT_ONCE = 256 << 20
"""Bytes up to which a database is read through on opening; `doctor` does it at any size."""


def check_before_open(directory: Path, before: Trace | None) -> list[str]:
    """Raise if the database is not what the last process left; returns notes for the user.

    Nothing is written, so that a damaged crawl stays as it was found.
    """
    path = directory / database.FILE
    with disk_errors_explained(path), closing(database.connect_to_read(path)) as db:
        small = path.stat().st_size <= CHECKED_AT_ONCE
        clean = before is not None and bool(before.digest)
        if small and before is not None and clean and database.digest(path) != before.digest:
            raise DamagedStore(
                f"{path} is not as Lagotto left it; restore it from a copy, or, if the change was yours, "
                "accept it with `lagotto doctor --accept`"
            )
        problems = [] if clean or not small else structural_problems(db) or content_problems(db)
        if problems:
            raise DamagedStore(f"{path} is damaged ({problems[0]}); restore it from a copy")
        notes = [] if clean else ["recovered after an unclean stop: what was in flight is queued still"]
        return notes + _check_commits(path, before, commits_in(db))


def check_before_reading(directory: Path) -> None:
    """Raise if a reader would see less, or something else, than the last process left.

    A crawl that runs is not checked: its files change all the time.
    """
    trace = last_trace(directory)
    if trace is None or holder(directory) is not None:
        return
    try:
        for note in check_before_open(directory, trace)[1:]:
            _log.warning("%s: %s", directory, note)
    except DamagedStore:
        # A crawl may have begun in the meantime.
        if holder(directory) is None and last_trace(directory) == trace:
            raise


def structural_problems(db: sqlite3.Connection, *, thorough: bool = False) -> list[str]:
    """Where the pages of the file do not fit together."""
    check = "integrity_check" if thorough else "quick_check"
    return [problem for (problem,) in db.execute(f"PRAGMA {check}(10)") if problem != "ok"]


def content_problems(db: sqlite3.Connection) -> list[str]:
    """Pages and texts that are not as they were written, at most ten of each."""
    rows = [f"the row of page {page} has changed" for page in islice(broken_rows(db), 10)]
    return rows + [f"the text of page {page} has changed" for page in islice(broken_texts(db), 10)]


def commits_in(db: sqlite3.Connection) -> int:
    """Transactions that the database holds."""
    row = db.execute("SELECT value FROM crawl WHERE name = 'commits'").fetchone()
    if row is None or not isinstance(row[0], int):
        raise DamagedStore(
            "the database is damaged: its number of commits is missing; restore it from a copy"
        )
    return row[0]


def _check_commits(path: Path, before: Trace | None, commits: int) -> list[str]:
    """A power cut may cost the last commits; without one, a file is missing or damaged."""
    lost = 0 if before is None else before.commits - commits
    if before is None or lost <= 0:
        return []
    if before.boot and before.boot == boot_id():
        raise DamagedStore(
            f"{path}-wal is missing or damaged: the last {lost} commits are gone; restore it from a copy, "
            "or accept the loss with `lagotto doctor --accept`"
        )
    return [f"the machine stopped before the last {lost} commits were on disk; their pages are fetched again"]


def examine(directory: Path) -> list[Finding]:
    """Look at everything in a crawl directory; nothing is changed."""
    path = directory / database.FILE
    findings = list(_lock(directory))
    try:
        database.check_format(path)
        with disk_errors_explained(path), closing(database.connect_to_read(path)) as db:
            findings += _database(db, path)
            findings += _warcs(db, directory / warc.FOLDER)
            findings += config_file.findings(db, directory)
    except CrawlDirectoryError as error:
        findings.append(Finding(Severity.ERROR, f"{error}."))
    findings += _configuration(directory)
    return findings


def accept(directory: Path) -> None:
    """Accept database and configuration as they are now; raises if the database is broken."""
    path = directory / database.FILE
    database.check_format(path)
    lock = Lock(directory)
    try:
        with disk_errors_explained(path):
            with closing(database.connect_to_write(path)) as db:
                problems = structural_problems(db, thorough=True)
                if problems:
                    raise DamagedStore(f"{path} is damaged ({problems[0]}); restore it from a copy")
                config_file.accept(db, directory)
                seal_all(db)
                commits = commits_in(db)
                database.checkpoint(db, path, mode="TRUNCATE")
            lock.release(commits, database.digest(path))
    finally:
        lock.abandon()


def _lock(directory: Path) -> Iterator[Finding]:
    pid = holder(directory)
    trace = last_trace(directory)
    if pid is not None:
        yield Finding(Severity.NOTE, f"Process {pid} is crawling in it now.")
    elif trace is None:
        yield Finding(Severity.NOTE, "Nothing says how the last crawl here ended.")
    elif not trace.digest:
        yield Finding(Severity.NOTE, f"Process {trace.pid} was killed while crawling; resuming recovers it.")
    else:
        yield Finding(Severity.GOOD, "The last process closed it cleanly.")


def _database(db: sqlite3.Connection, path: Path) -> Iterator[Finding]:
    trace = last_trace(path.parent)
    if trace is not None and trace.digest and database.digest(path) != trace.digest:
        yield Finding(
            Severity.ERROR, f"{path} has changed since Lagotto closed it; if it was you, accept it."
        )
    if trace is not None and commits_in(db) < trace.commits:
        lost = trace.commits - commits_in(db)
        yield Finding(Severity.ERROR, f"The last {lost} commits are missing; was {path}-wal removed?")
    problems = structural_problems(db, thorough=True) or list(_contradictions(db)) or content_problems(db)
    for problem in problems:
        yield Finding(Severity.ERROR, f"{path} is damaged: {problem}.")
    if not problems:
        [known] = db.execute("SELECT coalesce(max(seq), 0) FROM urls").fetchone()
        [pages] = db.execute("SELECT count(*) FROM pages").fetchone()
        yield Finding(Severity.GOOD, f"The database is whole: {known} URLs known, {pages} of them concluded.")
        yield from _broke_the_parser(db)


def _broke_the_parser(db: sqlite3.Connection) -> Iterator[Finding]:
    """Pages that were given up because their parser process died each time, or failed with an error."""
    query = "SELECT count(*) FROM pages WHERE reason = ?"
    [count] = db.execute(query, (Reason.PARSE_CRASH,)).fetchone()
    if count:
        yield Finding(
            Severity.WARNING,
            f"{count} pages were given up because they break the parser (reason {Reason.PARSE_CRASH}); "
            "`lagotto explain` shows how.",
        )


_CONTRADICTIONS = {
    "URLs are missing": "SELECT max(seq) - count(*) FROM urls",
    "pages are missing": "SELECT max(page) - count(*) FROM pages",
    "concluded URLs have no page": """
        SELECT count(*) FROM urls u WHERE page > 0
            AND NOT EXISTS (SELECT 1 FROM pages p WHERE p.page = u.page AND p.seq = u.seq)
    """,
    "pages belong to no URL": """
        SELECT count(*) FROM pages p LEFT JOIN urls u USING (seq) WHERE u.page IS NOT p.page
    """,
    "queued links have another score than their URL": """
        SELECT count(*) FROM frontier f LEFT JOIN urls u USING (seq)
        WHERE u.score IS NOT f.score OR u.host IS NOT f.host OR u.page IS NOT NULL OR u.held
    """,
    "queued links are missing from the frontier": """
        SELECT count(*) FROM urls u JOIN swept m ON m.kind = 'frontier' AND m.bucket = u.host >> 32
        WHERE u.seq <= m.seq AND u.page IS NULL AND NOT u.held
            AND NOT EXISTS (SELECT 1 FROM deferred d WHERE d.seq = u.seq)
            AND NOT EXISTS (
                SELECT 1 FROM frontier f WHERE f.host = u.host AND f.score = u.score AND f.seq = u.seq
            )
    """,
}


def _contradictions(db: sqlite3.Connection) -> Iterator[str]:
    """Tables that each are whole, but do not agree."""
    for problem, query in _CONTRADICTIONS.items():
        [count] = db.execute(query).fetchone()
        if count:
            yield f"{count} {problem}"


def _warcs(db: sqlite3.Connection, folder: Path) -> Iterator[Finding]:
    for name, end in db.execute("SELECT file, committed FROM warcs ORDER BY file"):
        path = folder / name
        query = "SELECT warc, warc_offset, warc_length FROM pages WHERE warc = ?"
        places = {row[1]: WarcPlace(*row) for row in db.execute(query, (name,))}
        size = path.stat().st_size if path.exists() else 0
        if size > end:
            yield Finding(Severity.NOTE, f"{path} has {size - end} bytes after its last commit.")
        responses, problem = _responses(path, end)
        missing = [place for offset, place in places.items() if offset not in responses]
        lost = sum(not _is_readable(folder, place) for place in missing)
        if lost:
            yield Finding(
                Severity.ERROR,
                f"{problem or path}: the answers of {lost} pages are lost; restore the file from a copy, "
                "or resume the crawl, which fetches again what is missing.",
            )
        elif len(missing) and not problem:
            yield Finding(Severity.ERROR, f"{len(missing)} pages are not where they should be in {path}.")
        elif problem and size >= end:
            yield Finding(Severity.ERROR, f"{problem}.")
        elif problem:
            yield Finding(Severity.NOTE, f"{problem}, and no page needs it.")
        else:
            yield Finding(Severity.GOOD, f"{path} is whole: {len(responses)} answers.")


def _responses(path: Path, end: int) -> tuple[set[int], str]:
    """Where the answers of a file begin, and what is wrong with it; those before that place are given."""
    found: set[int] = set()
    if not path.exists():
        return found, f"{path} is missing"
    try:
        for record in read_records(path, end):
            if record.fields["WARC-Type"] == "response":
                found.add(record.offset)
    except DamagedStore as error:
        return found, str(error)
    lost = end - path.stat().st_size
    return found, f"{path} has lost its last {lost} bytes" if lost > 0 else ""


def _is_readable(folder: Path, place: WarcPlace) -> bool:
    try:
        read_response(folder, place)
    except LostAnswer:
        return False
    return True


def _configuration(directory: Path) -> Iterator[Finding]:
    for path in sorted(directory.glob("*.toml")):
        try:
            tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            yield Finding(Severity.ERROR, f"{path} cannot be read: {error}.")
        else:
            yield Finding(Severity.GOOD, f"{path} can be read.")

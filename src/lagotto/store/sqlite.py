"""The store on one machine: one SQLite file in the crawl directory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from lagotto.errors import CrawlDirectoryError
from lagotto.records import Committed, Lease, NewLink, Outcome
from lagotto.store import crash, database, warc
from lagotto.store.checkpoints import Checkpoints
from lagotto.store.learned import Learned, Version
from lagotto.store.links import Links
from lagotto.store.lock import Lock
from lagotto.store.outcomes import Outcomes
from lagotto.store.pages import Pages
from lagotto.store.plainly import said_plainly
from lagotto.store.reader import CrawlReader
from lagotto.store.recovery import check_before_open, commits_in
from lagotto.store.rows import Discovered, Parent
from lagotto.store.shards import Shards
from lagotto.store.shelf import Shelf
from lagotto.store.snapshots import Snapshots
from lagotto.urls import shard_of

_SEED = Parent(None, "")


class SqliteStore:
    """All that must survive of a crawl; `seams.Store` says what each method promises.

    After a transaction that failed, memory is read again from the database, so the same outcomes
    can be committed later.
    """

    def __init__(
        self, db: sqlite3.Connection, directory: Path | None, lock: Lock | None, *, keep_text: bool = True
    ) -> None:
        self.directory = directory
        self.notes: list[str] = []
        """What was found on opening that a person should know, as sentences."""
        self._db = db
        self._lock = lock
        self._path = Path(database.FILE) if directory is None else directory / database.FILE
        self._links = Links(db)
        self._pages = Pages(db, keep_text=keep_text)
        self._shelf = Shelf(db)
        self._learned = Learned(db)
        self._snapshots = Snapshots(db)
        self._outcomes = Outcomes(db, self._links, self._pages, self._shelf, self._learned)
        self._shards = Shards(db)
        self._checkpoints = None if directory is None else Checkpoints(self._path)
        self._commits = 0
        self._load()

    @classmethod
    def create(cls, directory: Path, *, keep_text: bool = True) -> SqliteStore:
        """Begin a crawl in a directory that holds none; it is made if need be."""
        path = directory / database.FILE
        # WARC files that no commit names are removed on resuming, so there must be none before.
        if path.exists() or any((directory / warc.FOLDER).glob("*.warc.gz")):
            raise CrawlDirectoryError(
                f"{directory} holds a crawl already; go on with `lagotto resume {directory}`, "
                "or choose another directory"
            )
        with said_plainly(directory):
            directory.mkdir(parents=True, exist_ok=True)
        lock = Lock(directory)
        try:
            database.create(path)
            return cls._connected(directory, lock, keep_text)
        except BaseException:
            lock.abandon()
            raise

    @classmethod
    def open(cls, directory: Path, *, keep_text: bool = True) -> SqliteStore:
        """Go on with a crawl; `notes` says what a crash has left."""
        database.look_at(directory / database.FILE)
        lock = Lock(directory)
        try:
            notes = check_before_open(directory, lock.before)
            store = cls._connected(directory, lock, keep_text)
            store.notes += notes
        except BaseException:
            lock.abandon()
            raise
        return store

    @classmethod
    def _connected(cls, directory: Path, lock: Lock, keep_text: bool) -> SqliteStore:
        path = directory / database.FILE
        with said_plainly(path):
            db = database.connect_to_write(path)
            try:
                store = cls(db, directory, lock, keep_text=keep_text)
            except BaseException:
                db.close()
                raise
        lock.note(store._commits)
        return store

    @classmethod
    def memory(cls, *, keep_text: bool = False) -> SqliteStore:
        """A store that leaves nothing behind."""
        db = database.connect(":memory:")
        database.set_up(db)
        return cls(db, None, None, keep_text=keep_text)

    def _load(self) -> None:
        self._links.load()
        self._pages.load()
        self._shelf.load()
        self._snapshots.load()
        self._commits = commits_in(self._db)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, in the database and in memory."""
        with said_plainly(self._path):
            crash.point("commit.before")
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._links.sweep()
                self._commits += 1
                self._db.execute("UPDATE crawl SET value = ? WHERE name = 'commits'", (self._commits,))
                crash.point("commit.inside")
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._load()
                raise
            crash.point("commit.after")
            if self._lock is not None:
                self._lock.note(self._commits)
            if self._checkpoints is not None:
                self._checkpoints.committed()

    # Shards.

    def acquire(self, shards: Iterable[int], owner: str) -> dict[int, int]:
        """Take shards, raising each one's epoch."""
        with self._transaction():
            taken = self._shards.acquire(shards, owner)
        self._shards.held.update(taken)
        return taken

    # Links.

    def add_seeds(self, leases: Sequence[Lease]) -> Committed:
        """Queue seeds that are not yet known."""
        links = [
            NewLink(
                id=lease.id,
                url=lease.url,
                host=lease.host,
                score=lease.score,
                parts=lease.parts,
                depth=lease.depth,
                parent=lease.parent,
                anchor=lease.anchor,
                hops=lease.hops,
            )
            for lease in leases
        ]
        with self._transaction():
            return self._committed([self._links.discover(links, _SEED)])

    def knows(self, id: int) -> bool:
        """Whether a URL is held, queued or concluded."""
        return self._links.find(id) is not None

    @property
    def known(self) -> int:
        """URLs held, queued or concluded."""
        return self._links.count

    @property
    def concluded(self) -> int:
        """URLs that have their page row."""
        return self._pages.count

    def hosts(self) -> dict[str, tuple[float, int] | None]:
        """Hosts that have queued links in the shards held -> place of the best, None where some wait."""
        with said_plainly(self._path):
            return self._links.hosts(self._shards.held)

    def place(self, host: str) -> tuple[float, int] | None:
        """Place of the host's best queued link, None where there is none or some wait."""
        with said_plainly(self._path):
            return self._links.place(host)

    def top(self, host: str, n: int, now: float) -> list[Lease]:
        """The n best queued links of a host whose retry time has come, best first."""
        with said_plainly(self._path):
            return self._links.top(host, n, now)

    def next_retry(self, host: str) -> float | None:
        """Earliest retry time among the host's queued links, 0 for a link that need not wait."""
        return self._links.next_retry(host)

    def rescore(self, scores: Sequence[tuple[int, float, list[float]]]) -> None:
        """Give queued links new scores."""
        with self._transaction():
            self._shards.check(self._shards.held)
            for id, score, parts in scores:
                self._links.rescore(id, score, parts)

    # Commits.

    def commit(
        self, outcomes: Sequence[Outcome], scores: Sequence[tuple[int, float, list[float]]] = ()
    ) -> Committed:
        """Commit outcomes in one transaction; one that is concluded already is passed over."""
        with self._transaction():
            self._shards.check({shard_of(outcome.lease.host) for outcome in outcomes})
            found = [self._outcomes.take(outcome) for outcome in outcomes]
            self._outcomes.note_warcs(outcomes)
            for id, score, parts in scores:
                self._links.rescore(id, score, parts)
            self._snapshots.go_on()
            return self._committed(found, {outcome.lease.id for outcome in outcomes})

    def _committed(self, found: Sequence[Discovered], left: Iterable[int] = ()) -> Committed:
        """What may be leased now; a link that came and went in the same commit may not."""
        leases = {lease.id: lease for discovered in found for lease in discovered.leases}
        for id in left:
            leases.pop(id, None)
        added = [lease for lease in leases.values() if self._shards.hold(lease.host)]
        return Committed(added, sum(discovered.new for discovered in found))

    def warc_ends(self) -> dict[str, int]:
        """WARC file -> where its last committed record ends."""
        return dict(self._db.execute("SELECT file, committed FROM warcs ORDER BY file"))

    # Content.

    def content_seen(self, fingerprint: int) -> str | None:
        """URL of the page already committed with this content."""
        return self._pages.content_seen(fingerprint)

    def near_duplicate(self, simhash: int) -> str | None:
        """URL of a committed page whose simhash differs in at most three bits."""
        return self._pages.near_duplicate(simhash)

    # The shelf.

    def rerank(self, ranks: Iterable[tuple[int, float]]) -> None:
        """Change ranks of pages on the shelf."""
        with self._transaction():
            self._shards.check(self._shards.held)
            self._shelf.rerank(ranks)

    def shelf_top(self) -> tuple[int, str, float] | None:
        """Best page on the shelf, the earliest of equals."""
        return self._shelf.top()

    def expand(
        self, page_id: int, ranks: Iterable[tuple[int, float]] = (), sample: bytes | None = None
    ) -> Committed:
        """Take a page off the shelf and release its links."""
        with self._transaction():
            self._shards.check(self._shards.held)
            taken = self._shelf.take(page_id)
            if taken is None:
                raise ValueError(f"page {page_id} is not on the shelf")
            seq, url, claims = taken
            leases = [self._links.claim(claim, Parent(seq, url)) for claim in claims]
            released = Discovered([lease for lease in leases if lease is not None], 0)
            self._shelf.raise_barrier(self._links.queued_now(claims))
            self._shelf.rerank(ranks)
            if sample is not None:
                self._learned.add_sample(sample)
            return self._committed([released])

    def barrier(self) -> int:
        """How many released links of the last expanded page are neither concluded nor deferred."""
        return len(self._shelf.waiting)

    # What was learned.

    def snapshot(self, state: bytes, *, at_once: bool = False) -> None:
        """Keep the strategy's state: a piece of it now and one with every commit, or all of it."""
        with self._transaction():
            self._shards.check(self._shards.held)
            self._snapshots.begin(state)
            while at_once and not self._snapshots.complete:
                self._snapshots.go_on()
            crash.point("snapshot.inside")

    def restore(self) -> tuple[bytes | None, list[bytes]]:
        """Latest snapshot and the samples committed since, in commit order."""
        return self._snapshots.restore()

    def add_version(self, kind: str, content: bytes) -> int:
        """Keep a new version of the topic or of a model; returns its number, counted from 1."""
        with self._transaction():
            return self._learned.add_version(kind, content)

    def versions(self, kind: str) -> list[Version]:
        """All versions of something, oldest first."""
        return self._learned.versions(kind)

    def add_feedback(self, mark: bytes, sample: bytes | None) -> None:
        """Keep a user's mark as a version of the topic, and what was learned from it as a sample."""
        with self._transaction():
            self._learned.add_version("feedback", mark)
            if sample is not None:
                self._learned.add_sample(sample)

    def reader(self) -> CrawlReader:
        """Look into this store; the reader must not be closed."""
        return CrawlReader(self._db, self.directory)

    def close(self) -> None:
        """Close cleanly, and note the checksum of what is left behind."""
        lock, self._lock = self._lock, None
        if self._checkpoints is not None:
            self._checkpoints.close()
        if lock is None:
            self._db.close()
            return
        with said_plainly(self._path):
            try:
                self._db.execute("PRAGMA busy_timeout = 1000")  # A reader may hold the log a little longer.
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                self._db.close()
                lock.release(self._commits, database.digest(self._path))
            finally:
                self._db.close()
                lock.abandon()

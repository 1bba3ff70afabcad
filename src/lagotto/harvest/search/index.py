"""The index of a crawl's pages, in a folder of its own.

A page is one document without its text, which the crawl has already. One further document holds the *state*:
how far the index has come. It is replaced in the same commit as pages are added, so that a process killed at
any moment leaves an index that agrees with its state.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from errno import ENOSPC
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile

import msgspec
import numpy as np
import tantivy
from msgspec import Struct
from tantivy import Document, IndexWriter, Query, SchemaBuilder

from lagotto.base.errors import LagottoError
from lagotto.base.text import base_language
from lagotto.base.urls import checksum
from lagotto.base.views import StoredPage
from lagotto.harvest.search.analysis import analyzer, separated
from lagotto.store.disk_errors import disk_errors_explained, os_error

_NO_ROOM = ("No space left", "File too large", "quota exceeded")
"""What the operating system says of a full disk; the library passes it on in its own words."""

_KILLED = "writer was killed"
"""What the library says when one of its threads failed; why it failed is lost."""


class DamagedIndex(LagottoError):
    """The index cannot be read, or is of another version or crawl; it must be made anew."""


@contextmanager
def damage_explained(folder: Path) -> Iterator[None]:
    """Raise `DamagedIndex` for what the library cannot read, and `DiskFull` where there is no room."""
    try:
        yield
    except (ValueError, OSError, msgspec.MsgspecError) as error:
        if any(words in str(error) for words in _NO_ROOM) or (_KILLED in str(error) and _is_full(folder)):
            raise os_error(OSError(ENOSPC, ""), folder) from error
        if isinstance(error, PermissionError):
            raise os_error(error, folder) from error
        raise DamagedIndex(str(error)) from error
    except BaseException as error:
        # A panic of the library is no `Exception`; Python cannot name its class.
        if type(error).__name__ != "PanicException":
            raise
        raise DamagedIndex(str(error)) from error


def _is_full(folder: Path) -> bool:
    """Whether the disk of a folder takes nothing more."""
    try:
        with TemporaryFile(dir=folder) as probe:
            probe.write(bytes(1 << 16))
    except OSError:
        return True
    return False


UNJUDGED = -1


class Judgements:
    """What is known of pages by their number; a page that was never set is not judged."""

    def __init__(self, relevances: bytes = b"", verdicts: bytes = b"") -> None:
        """From what `relevances` and `verdicts` gave."""
        self._relevances = np.frombuffer(relevances, np.float32).copy()
        self._verdicts = np.frombuffer(verdicts, np.int8).copy()

    def set(self, page: int, relevance: float | None, relevant: bool | None) -> bool:
        """Keep what counts now; says whether the verdict is another one than before."""
        if page >= len(self._verdicts):
            more = max(1024, page + 1, 2 * len(self._verdicts)) - len(self._verdicts)
            self._relevances = np.append(self._relevances, np.zeros(more, np.float32))
            self._verdicts = np.append(self._verdicts, np.full(more, UNJUDGED, np.int8))
        verdict = UNJUDGED if relevant is None else int(relevant)
        changed = bool(self._verdicts[page] != verdict)
        self._relevances[page] = relevance or 0.0
        self._verdicts[page] = verdict
        return changed

    def of(self, pages: np.ndarray) -> np.ndarray:
        """Relevances of pages, 0 for those that were not judged."""
        known = pages < len(self._relevances)
        found = np.zeros(len(pages), np.float32)
        found[known] = self._relevances[pages[known]]
        return found

    @property
    def relevances(self) -> bytes:
        """All relevances, to be stored."""
        return self._relevances.tobytes()

    @property
    def verdicts(self) -> bytes:
        """All verdicts, to be stored."""
        return self._verdicts.tobytes()


VERSION = 2
"""Raised whenever the fields or their analysis change."""
BOOSTS = {"title": 3.0, "headings": 2.0, "body": 1.0}
"""Text field -> weight of a word found there."""
_WORDS = "words"
_STATE = "state"
_LOCK = "lock"
_HEAP = 100_000_000
"""Bytes of memory that pages may take before they are written."""


class State(Struct):
    """How far an index has come."""

    version: int
    crawl: str
    """Which crawl it is of."""
    language: str
    """Language by which words are stemmed."""
    page: int = 0
    """All pages up to this number are in it."""
    event: int = 0
    """All events up to this number are taken into account."""


class PageIndex:
    """An index that is open for searching, and for writing by whoever holds its lock."""

    def __init__(self, folder: Path, index: tantivy.Index, state: State | None = None) -> None:
        """`state` is that of a new index; an old one has its own."""
        self.folder = folder
        self.schema = index.schema
        self.judgements = Judgements()
        self._index = index
        self._commit = (0, 0)
        index.config_reader("manual")
        if state is None:
            self.reload()
        else:
            self.state = state
        self.analyzer = analyzer(self.state.language)
        index.register_tokenizer(_WORDS, self.analyzer)

    @classmethod
    def create(cls, folder: Path, crawl: str, language: str) -> PageIndex:
        """An empty index, in the place of whatever the folder held."""
        with disk_errors_explained(folder):
            for path in folder.iterdir():
                if path.is_dir():
                    shutil.rmtree(path)
                elif path.name != _LOCK:
                    path.unlink()
        with damage_explained(folder):
            return cls(folder, tantivy.Index(_schema(), str(folder)), State(VERSION, crawl, language))

    @classmethod
    def open(cls, folder: Path) -> PageIndex:
        """The index in a folder; raises `DamagedIndex` if there is none that can be read."""
        with damage_explained(folder):
            return cls(folder, tantivy.Index.open(str(folder)))

    def reload(self) -> None:
        """See what was committed since the last time, by any process."""
        with damage_explained(self.folder):
            status = (self.folder / "meta.json").stat()
            commit = (status.st_mtime_ns, status.st_ino)
            if commit == self._commit:
                return
            self._index.reload()
            self.searcher = self._index.searcher()
            found = self.searcher.search(Query.term_query(self.schema, "kind", _STATE), 1).hits
            if not found:
                raise DamagedIndex("it was never finished")
            document = self.searcher.doc(found[0][1])
            self.state = msgspec.json.decode(document["state"][0], type=State)
            if self.state.version != VERSION:
                raise DamagedIndex("another version of Lagotto made it")
            self.judgements = Judgements(document["relevances"][0], document["verdicts"][0])
            self._commit = commit

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Change the index; its lock must be held. What is not committed is dropped."""
        with damage_explained(self.folder):
            writer = Writer(self, self._index.writer(_HEAP, 1))
            try:
                yield writer
                writer.finish()
            finally:
                writer.let_go()
        self.reload()


class Writer:
    """Adds pages to an index."""

    def __init__(self, index: PageIndex, writer: IndexWriter) -> None:
        self._index = index
        self._writer = writer

    def finish(self) -> None:
        """Wait until all that was committed is merged."""
        self._writer.wait_merging_threads()

    def let_go(self) -> None:
        """Give the index's lock back now: an error that is kept would keep this object, and so the lock."""
        del self._writer

    def put(self, stored: StoredPage, *, again: bool = False) -> None:
        """Add a page; `again` if it is in the index already."""
        row = stored.row
        if again:
            self._writer.delete_documents_by_term("page", row.seq)
        document = Document()
        document.add_integer("page", row.seq)
        document.add_text("title", separated(row.title))
        document.add_text("body", separated(row.text or ""))
        if stored.facts is not None and stored.facts.headings:
            document.add_text("headings", separated("\n".join(stored.facts.headings)))
        for name in host_names(row.host):
            document.add_text("host", name)
        document.add_text("language", base_language(row.language))
        document.add_integer("group", group_of(stored))
        document.add_boolean("relevant", bool(row.relevant))
        document.add_date("fetched_at", datetime.fromisoformat(row.fetched_at))
        self._writer.add_document(document)

    def commit(self, state: State) -> None:
        """Write all that was added, together with how far that is."""
        judgements = self._index.judgements
        self._writer.delete_documents_by_term("kind", _STATE)
        document = Document()
        document.add_text("kind", _STATE)
        document.add_bytes("state", msgspec.json.encode(state))
        document.add_bytes("relevances", judgements.relevances)
        document.add_bytes("verdicts", judgements.verdicts)
        self._writer.add_document(document)
        self._writer.commit()
        self._index.state = state


@contextmanager
def locked(folder: Path, *, wait: bool) -> Iterator[bool]:
    """Hold the lock for writing to the index in a folder; gives False if another process has it."""
    with disk_errors_explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(file)


@lru_cache(maxsize=4096)
def host_names(host: str) -> list[str]:
    """Names by which `host:` finds a host: with and without its port, and its parent domains.

    >>> host_names("docs.example.org:8080")
    ['docs.example.org:8080', 'docs.example.org', 'example.org', 'org']
    """
    name, colon, port = host.rpartition(":")
    plain = name if colon and port.isdigit() else host
    labels = [plain] if plain.replace(".", "").isdigit() or plain.endswith("]") else plain.split(".")
    parents = [".".join(labels[start:]) for start in range(len(labels))]
    return parents if plain == host else [host, *parents]


def group_of(stored: StoredPage) -> int:
    """Number that a page shares with its near-duplicates."""
    return checksum(stored.near_duplicate_of or stored.row.url)


def _schema() -> tantivy.Schema:
    builder = SchemaBuilder()
    for name in BOOSTS:
        builder.add_text_field(name, tokenizer_name=_WORDS)
    for name in ("kind", "host", "language"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("page", indexed=True, fast=True)
    builder.add_integer_field("group", indexed=True, fast=True)
    builder.add_boolean_field("relevant", indexed=True)
    builder.add_date_field("fetched_at", fast=True)
    for name in ("state", "relevances", "verdicts"):
        builder.add_bytes_field(name, stored=True)
    return builder.build()

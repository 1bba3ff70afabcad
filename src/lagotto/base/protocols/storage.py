"""Where a crawl is kept."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from lagotto.base.batch import Command
from lagotto.base.protocols.reader import Reader
from lagotto.base.protocols.store import Store


class Severity(StrEnum):
    """How much a finding matters."""

    GOOD = "good"
    NOTE = "note"
    WARNING = "warning"
    """Something was lost; the crawl can go on."""
    ERROR = "error"
    """The crawl cannot be trusted, or not be opened."""


class Finding(Struct, frozen=True):
    """One thing that was checked."""

    severity: Severity
    sentence: str


class Storage(Protocol):
    """Where a crawl is kept; made by `lagotto.store.storage_at`."""

    location: str
    """As the user writes it."""
    folder: Path | None
    """Directory for WARC files and the log; None if the crawl leaves no files."""
    files: str
    """Place of WARC files: the folder, or a URL that fsspec knows; empty if the crawl leaves no files."""
    shared: bool
    """Whether several workers may open the crawl at once; their stores are each a `SharedStore`."""

    def exists(self) -> bool:
        """Whether there is a crawl."""
        ...

    async def create(self, config: bytes, *, keep_text: bool = True) -> Store:
        """Begin a crawl with its configuration; there is a whole crawl afterwards, or none."""
        ...

    async def open(self, *, keep_text: bool = True) -> Store:
        """Go on with a crawl; an older format is brought up to date, and a copy of it kept."""
        ...

    def reader(self) -> Reader:
        """Look into the crawl, running or not."""
        ...

    def config(self) -> bytes:
        """The configuration, as TOML."""
        ...

    def save_config(self, config: bytes) -> None:
        """Replace the configuration of a crawl that this process has open."""
        ...

    def discard(self) -> None:
        """Remove a crawl that came to nothing; it must not be open."""
        ...

    def running(self) -> bool:
        """Whether some process crawls now."""
        ...

    def send(self, command: Command) -> int:
        """Send a command to the crawl, running or not, from any process; returns its number."""
        ...

    def examine(self) -> list[Finding]:
        """Check everything for damage; nothing is changed."""
        ...

    def accept(self) -> None:
        """Accept a changed but sound database as it is."""
        ...

    def migrate(self) -> str:
        """Bring an older format up to date; returns what was done, as a sentence."""
        ...

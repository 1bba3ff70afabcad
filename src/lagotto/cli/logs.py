"""Where the log of a command goes: a file in the crawl directory, and the terminal with `--verbose`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from lagotto.cli import printable
from lagotto.store.sqlite.storage import LOG_BACKUPS, LOG_FILE

MAX_BYTES = 5_000_000


class _Lines(logging.Formatter):
    """One line a record, in UTC, that cannot drive a terminal."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = printable(record.message)
        return super().formatMessage(record)


class _File(RotatingFileHandler):
    """A bounded file; a full disk ends the crawl elsewhere, with a sentence, and not here."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass


@contextmanager
def log_to(directory: Path, *, name: str = LOG_FILE, verbose: bool = False) -> Iterator[None]:
    """Log to a file in the crawl directory, and to the standard error output if asked to."""
    logger = logging.getLogger("lagotto")
    before = logger.level
    file = _File(
        directory / name,
        maxBytes=MAX_BYTES,
        backupCount=LOG_BACKUPS,
        encoding="utf-8",
        errors="backslashreplace",
        delay=True,
    )
    file.setFormatter(_Lines("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handlers: list[logging.Handler] = [file]
    if verbose:
        terminal = logging.StreamHandler()
        terminal.setFormatter(_Lines("%(message)s"))
        handlers.append(terminal)
    logger.setLevel(logging.DEBUG if verbose else logging.INFO)
    for handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
        logger.setLevel(before)

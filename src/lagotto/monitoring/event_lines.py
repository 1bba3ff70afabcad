"""Events of a running crawl as JSON lines, in a file or on standard output."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from lagotto.errors import InputError

STDOUT = "-"
_log = logging.getLogger(__name__)


class EventLines:
    """Appends a line for each event; if that fails, the crawl goes on without them."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._stream: BinaryIO | None
        if path == STDOUT:
            self._stream = sys.stdout.buffer
            return
        try:
            self._stream = Path(path).open("ab", buffering=0)  # noqa: SIM115  # Open as long as the crawl.
        except OSError as error:
            raise InputError(
                f"events cannot be written to {path} ({error.strerror}); name another file"
            ) from error

    def write(self, event: Struct) -> None:
        """Write an event, with the time."""
        if self._stream is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        fields = {"at": now} | msgspec.to_builtins(event)
        fields.pop("n", None)  # Only the store numbers events.
        line = msgspec.json.encode(fields)
        try:
            self._stream.write(line + b"\n")
            self._stream.flush()
        except OSError as error:
            _log.warning("no more events are written to %s: %s", self._path, error.strerror)
            self.close()

    def close(self) -> None:
        """Close the file."""
        stream, self._stream = self._stream, None
        if stream is not None and self._path != STDOUT:
            stream.close()

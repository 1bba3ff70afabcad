"""Errors of the index library as errors for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path

import msgspec

from lagotto.errors import LagottoError
from lagotto.store.disk_errors import os_error

_NO_ROOM = ("No space left", "File too large", "quota exceeded")
"""What the operating system says of a full disk; the library passes it on in its own words."""


class DamagedIndex(LagottoError):
    """The index cannot be read, or is of another version or crawl; it must be made anew."""


@contextmanager
def damage_explained(folder: Path) -> Iterator[None]:
    """Raise `DamagedIndex` for what the library cannot read, and `DiskFull` where there is no room."""
    try:
        yield
    except (ValueError, OSError, msgspec.MsgspecError) as error:
        if any(words in str(error) for words in _NO_ROOM):
            raise os_error(OSError(ENOSPC, ""), folder) from error
        if isinstance(error, PermissionError):
            raise os_error(error, folder) from error
        raise DamagedIndex(str(error)) from error
    except BaseException as error:
        # A panic of the library is no `Exception`; Python cannot name its class.
        if type(error).__name__ != "PanicException":
            raise
        raise DamagedIndex(str(error)) from error

"""Telling binary files from text."""

from __future__ import annotations

import re

HEAD = 4096
"""Bytes at the beginning of a file that are looked at."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""Marks at the beginning of a file in UTF-16."""
_control = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]").search


def looks_binary(content: bytes) -> bool:
    """Whether a file begins like a binary one: with control characters, or as PDF.

    >>> looks_binary(b"\\x89PNG\\r\\n\\x1a\\n"), looks_binary("caf\u00e9".encode("latin-1"))
    (True, False)
    """
    if content.startswith(UTF_16):
        return False
    return content.startswith(b"%PDF-") or _control(content[:HEAD]) is not None

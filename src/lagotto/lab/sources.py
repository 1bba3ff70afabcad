"""Which code made a result: what is kept on disk is used again only by the code that made it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import xxhash

PACKAGE = Path(__file__).resolve().parent.parent


@cache
def source_hash(*modules: str) -> str:
    """Digest of the sources of modules and packages of Lagotto, named such as `urls` or `lab.replay`."""
    hasher = xxhash.xxh3_64()
    for name in modules:
        place = PACKAGE.joinpath(*name.split("."))
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
        for file in files:
            hasher.update(str(file.relative_to(PACKAGE)).encode())
            hasher.update(file.read_bytes())
    return hasher.hexdigest()

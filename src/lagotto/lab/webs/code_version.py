"""Digests of the code: a result on disk is used again only by the version that made it.

Files beside the code, such as word vectors and stop words, are included.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import xxhash

PACKAGE = Path(__file__).resolve().parents[2]
_CHUNK = 1 << 20


@cache
def source_hash(*modules: str) -> str:
    """Digest of the files of modules and packages of Lagotto, named such as `urls` or `lab.webs`."""
    places = (PACKAGE.joinpath(*name.split(".")) for name in modules)
    return _digest(place if place.is_dir() else place.with_suffix(".py") for place in places)


def class_hash(cls: type) -> str:
    """Digest of the package that a class comes from, or of its module if that is in no package."""
    place = _home(cls.__module__)
    return _digest([place] if place is not None else [])


def _digest(places: Iterable[Path]) -> str:
    hasher = xxhash.xxh3_64()
    for place in places:
        for file in _files(place):
            hasher.update(str(file.relative_to(place.parent)).encode())
            with file.open("rb") as opened:
                while chunk := opened.read(_CHUNK):
                    hasher.update(chunk)
    return hasher.hexdigest()


def _files(place: Path) -> list[Path]:
    """A file itself, or all files of a folder except compiled Python."""
    if not place.is_dir():
        return [place]
    found = (file for file in place.rglob("*") if "__pycache__" not in file.relative_to(place).parts)
    return sorted(file for file in found if file.is_file())


def _home(module: str) -> Path | None:
    """Folder of the outermost package of a module, or its own file if it is in no package."""
    names = module.split(".")
    for depth in range(1, len(names) + 1):
        # A namespace package has no file: other distributions may have a part of it.
        file = getattr(sys.modules.get(".".join(names[:depth])), "__file__", None)
        if file and (path := Path(file)).exists():
            return path.parent if path.stem == "__init__" else path
    return None

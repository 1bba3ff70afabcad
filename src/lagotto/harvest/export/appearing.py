"""Files and folders that take their name only when they are whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from lagotto.base.errors import InputError
from lagotto.store.disk_errors import os_error


@contextmanager
def appearing(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """A file to write to; nothing is left of it if the writing fails."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a file to export to")
    if os.path.lexists(path):
        if not path.is_file():
            raise InputError(f"{path} is not an ordinary file; name another one to export to")
        if not force:
            raise InputError(f"{path} exists; name another file, or replace it with --force")
    try:
        file, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        try:
            with open(file, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise os_error(error, path) from error


@contextmanager
def appearing_folder(path: Path, *, force: bool = False, holds: tuple[str, ...]) -> Iterator[Path]:
    """A folder to write to; nothing is left of it if the writing fails.

    `holds` names what lies in such a folder. Only a folder that has nothing else in it is ever replaced.
    """
    there = os.path.lexists(path)
    if there and not (path.is_dir() and not path.is_symlink()):
        raise InputError(f"{path} exists and is not an empty directory; name a new one to export to")
    names = {entry.name for entry in path.iterdir()} if there else set()
    if names and not force:
        raise InputError(
            f"{path} exists and is not an empty directory; name a new one, or replace an export with --force"
        )
    if names - set(holds):
        raise InputError(
            f"{path} holds {min(names - set(holds))}, which is no part of an export; name a new directory"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name[:100]}."))
        try:
            fresh.chmod(0o755)
            yield fresh
            if names:
                _swap(fresh, path)
            else:
                fresh.replace(path)
        except BaseException:
            shutil.rmtree(fresh)
            raise
    except OSError as error:
        raise os_error(error, path) from error


def _swap(fresh: Path, path: Path) -> None:
    """Put a folder in the place of another, which comes back if that fails."""
    old = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name[:100]}."))
    path.replace(old)
    try:
        fresh.replace(path)
    except OSError:
        old.replace(path)
        raise
    shutil.rmtree(old)

"""Which crawls the server shows: those in its folder, and those that were named one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from lagotto.base.errors import InputError, NotACrawl
from lagotto.store import storage_at
from lagotto.store.locations import refuse_links

OWN = ".lagotto-serve"
"""Folder beside the crawls for what the server itself keeps: outputs and uploads of crawls it started."""
_may_be_named = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}").fullmatch


class CrawlFolder:
    """Names of crawls and where they are; nothing outside of it can be reached by a name."""

    def __init__(self, locations: Iterable[str]) -> None:
        self.home: Path | None = None
        """Folder in which crawls lie and new ones are begun; None if only single crawls were named."""
        self._single: dict[str, str] = {}
        for location in locations:
            self._add(location)

    def _add(self, location: str) -> None:
        if storage_at(location).exists():
            self._single[_unlike(name_of(location), self._single)] = location
        elif "://" in location or not Path(location).is_dir():
            raise NotACrawl(f"{location} is neither a crawl nor a folder of crawls; name one that is there")
        elif self.home is not None:
            raise InputError(f"{self.home} and {location} are both folders of crawls; name one of them")
        else:
            self.home = Path(location).resolve()

    def locations(self) -> dict[str, str]:
        """Name -> location of every crawl there is now."""
        found = {}
        for path in sorted(self.home.iterdir()) if self.home is not None else ():
            # A link that leads out of the folder is no part of it.
            inside = path.resolve().parent == self.home
            if inside and not path.name.startswith(".") and path.is_dir() and storage_at(path).exists():
                found[path.name] = str(path)
        for name, location in self._single.items():
            found[_unlike(name, found)] = location
        return found

    def location(self, name: str) -> str:
        """Where the crawl with a name is; a symbolic link in its directory is not followed."""
        found = self.locations().get(name)
        if found is None:
            raise NotACrawl(
                f"there is no crawl '{name}' here; there are: {', '.join(self.locations()) or 'none'}"
            )
        refuse_links_in(found)
        return found

    def new_place(self, name: str) -> Path:
        """Where a crawl with this name can be begun."""
        if self.home is None:
            raise InputError("this server shows single crawls; start it with a folder to begin crawls in it")
        if not _may_be_named(name):
            raise InputError(
                f"'{name}' cannot be the name of a crawl; use up to 64 letters, digits, dots, dashes and "
                "underscores, a letter or digit first"
            )
        path = self.home / name
        if name in self.locations() or path.exists() or path.is_symlink():
            raise InputError(f"there is something called '{name}' already; choose another name")
        return path

    def own(self) -> Path:
        """Folder for what the server itself keeps, made if need be."""
        assert self.home is not None
        path = self.home / OWN
        path.mkdir(mode=0o700, exist_ok=True)
        return path


def refuse_links_in(location: str) -> None:
    """Refuse a crawl in whose directory a symbolic link stands; the directory itself may be one."""
    folder = storage_at(location).folder
    for path in folder.iterdir() if folder is not None and folder.is_dir() else ():
        refuse_links(path)


def name_of(location: str) -> str:
    """What a single crawl is called: its directory, or what the URL of a store says after `crawl=`."""
    if "://" not in location:
        return Path(location).resolve().name or "crawl"
    parts = urlsplit(location)
    said = parse_qs(parts.query).get("crawl", [Path(parts.path).name])[0]
    return re.sub(r"[^A-Za-z0-9._-]+", "-", said).strip("-.") or "crawl"


def _unlike(name: str, taken: Iterable[str]) -> str:
    """The name, with a number if another crawl has it."""
    names, number, wanted = set(taken), 2, name
    while wanted in names:
        wanted, number = f"{name}-{number}", number + 1
    return wanted

"""Where a crawl is: `postgresql://user@host/database?crawl=NAME`."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode

from msgspec import Struct

from lagotto.base.errors import InputError

PREFIX = "lagotto_"
_PASSWORD = re.compile(r"(?<=[?&])password=[^&]*&?")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")


class PostgresLocation(Struct, frozen=True):
    """The parts of a location."""

    text: str
    """As the user wrote it."""
    database: str
    """What libpq takes: the location without what only Lagotto reads."""
    crawl: str
    files: str
    """Folder or URL for WARC files and the log; empty if the location does not say."""

    @property
    def schema(self) -> str:
        """Name of the SQL schema that holds the crawl."""
        return PREFIX + self.crawl

    @property
    def shown(self) -> str:
        """The location without its password, for messages."""
        return without_password(self.text)


def read_location(text: str) -> PostgresLocation:
    """Take a location apart."""
    head, _, query = text.partition("?")
    given = parse_qsl(query, keep_blank_values=True)
    own = {name: value for name, value in given if name in ("crawl", "files")}
    rest = urlencode([(name, value) for name, value in given if name not in own], quote_via=quote)
    database = f"{head}?{rest}" if rest else head
    return PostgresLocation(text, database, own.get("crawl", ""), own.get("files", ""))


def folder_of(files: str) -> Path | None:
    """The folder for files, if it is one of this machine; None for a URL, and for nothing."""
    return Path(files) if files and "://" not in files else None


def check_name(location: PostgresLocation) -> None:
    """Raise unless the location names a crawl."""
    if not location.crawl:
        raise InputError(
            f"{location.shown} names a database, but no crawl in it; add ?crawl=NAME, or give --crawl NAME"
        )
    if not _NAME.fullmatch(location.crawl):
        raise InputError(
            f"'{location.crawl}' cannot be the name of a crawl; "
            "use up to 50 of the characters a-z, 0-9, _ and -, beginning with a letter or digit"
        )


def without_password(text: str) -> str:
    """A location with its password left out."""
    head, separator, rest = _PASSWORD.sub("", text).partition("://")
    user, at, place = rest.rpartition("@")
    name, _, password = user.partition(":")
    return f"{head}{separator}{name if unquote(password) else user}{at}{place}"

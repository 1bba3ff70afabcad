"""Where a crawl is: `postgresql://user@host/database?crawl=NAME`."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from msgspec import Struct

from lagotto.errors import InputError

PREFIX = "lagotto_"
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
    parts = urlsplit(text)
    given = parse_qsl(parts.query, keep_blank_values=True)
    own = {name: value for name, value in given if name in ("crawl", "files")}
    rest = [(name, value) for name, value in given if name not in own]
    database = urlunsplit(("postgresql", parts.netloc, parts.path, urlencode(rest, quote_via=quote), ""))
    # An empty host is left out by urlunsplit, together with the two slashes that libpq wants.
    database = database.replace("postgresql:/", "postgresql://", 1) if not parts.netloc else database
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


def with_crawl(text: str, crawl: str = "", files: str = "") -> str:
    """A location with the name of a crawl and a place for its files added."""
    parts = urlsplit(text)
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    more = {name: value for name, value in (("crawl", crawl), ("files", files)) if value}
    for name, value in more.items():
        if given.get(name, value) != value:
            raise InputError(f"the location says {name}={given[name]}, the option {value}; leave one out")
    if not more:
        return text
    query = urlencode(given | more, quote_via=quote, safe="/:")
    head, _, _ = text.partition("?")
    return f"{head}?{query}"


def without_password(text: str) -> str:
    """A location with its password left out."""
    head, separator, rest = text.partition("://")
    user, at, place = rest.rpartition("@")
    name, colon, password = user.partition(":")
    return f"{head}{separator}{name}{at}{place}" if colon and unquote(password) else text

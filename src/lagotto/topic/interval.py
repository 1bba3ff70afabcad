"""How often something is done again: after a number of pages, or after some time."""

from __future__ import annotations

import re

from msgspec import Struct

from lagotto.errors import InputError

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_written = re.compile(r"(\d+(?:\.\d+)?) ?(s|m|h|d)?").fullmatch


class Interval(Struct, frozen=True):
    """An interval in pages, which keeps a crawl repeatable, or in time; 0 means not counted."""

    pages: int = 0
    seconds: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Interval:
        """Read `500` or `500 pages` as pages, `90s`, `10m`, `2h`, `1d` as time.

        >>> Interval.parse("500 pages"), Interval.parse("10m")
        (Interval(pages=500, seconds=0.0), Interval(pages=0, seconds=600.0))
        """
        found = _written(text.strip().removesuffix("pages").removesuffix("page").strip())
        number = float(found[1]) if found else 0.0
        if found is None or number <= 0 or (not found[2] and not number.is_integer()):
            raise InputError(f"'{text}' is no interval; write it like '500 pages' or '10m'")
        return cls(seconds=number * _SECONDS[found[2]]) if found[2] else cls(pages=int(number))

    def due(self, pages: int, seconds: float) -> bool:
        """Whether so many pages or seconds since the last time are enough."""
        return 0 < self.pages <= pages or 0 < self.seconds <= seconds

"""What one option of a crawl is: meaning, range, spelling, and who may change it when.

The command line, TOML files, docs/options.md, steering, resuming, revisiting, the HTTP API and the dashboard
read what an option declares here, and keep no lists of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from math import isfinite
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError

MOST_NUMBER = 10**15
"""Largest number that a request may set where an option declares no other bound."""
MOST_VALUES = 1000
"""Most values that a request may give an option that takes several."""


class Change(StrEnum):
    """When another value takes effect, once a crawl has begun."""

    AT_ONCE = "at once"
    ADDED = "added at once"
    """Further values are added to those that the crawl has."""
    NEXT_START = "at the next start"
    NEVER = "never"
    """What was learned depends on it."""


class Option(Struct, frozen=True):
    """What a field of `Config` declares about itself, besides its type and default."""

    help: str
    """What it does, as a sentence without its full stop and without its default."""
    group: str
    """Heading under which it is documented."""
    change: Change
    """When another value takes effect."""
    http: bool = False
    """Whether requests over HTTP, and agents, may set it: never what names a file or holds a secret."""
    most: float | None = None
    """Largest number that a request may set; where several values are taken, how many."""
    secret: bool = False
    """Whether it may hold a password or a key, which the crawl directory does not keep."""
    limit: bool = False
    """Whether it is one of the limits that `lagotto status` and the dashboard show."""
    form: Literal["", "plain", "advanced"] = ""
    """Where the dashboard's form for a new crawl has it; empty if it has not."""
    revisit: bool = False
    """Whether a revisit may have a value of its own."""
    least: float | None = None
    """Smallest value."""
    above: float | None = None
    """The value must be larger than this."""
    zero: str = ""
    """What 0 means, if it means something special."""
    default: str = ""
    """How the default is worded, if its value does not say enough."""
    spelling: str | None = None
    """On the command line, such as `--seed`; derived from the name if None, empty if it is not there."""
    metavar: str = ""
    """What stands for the value in the help."""
    check: Callable[[Any], None] | None = None
    """Refuses values with an `InputError`."""
    hide: Callable[[str], str] | None = None
    """Takes the secret out of a value before it is written anywhere."""

    def __post_init__(self) -> None:
        if self.secret and (self.http or self.hide is None):
            raise TypeError(f"'{self.help}' is secret: declare how to hide it, and do not allow it over HTTP")


class Field(Struct, frozen=True):
    """A field of `Config` with its option."""

    name: str
    kind: Any
    """Its type."""
    value: Any
    """Its default."""
    option: Option

    @property
    def spellings(self) -> str:
        """On the command line, such as `--robots/--no-robots`; empty if it is not there."""
        if self.option.spelling is not None:
            return self.option.spelling
        spelled = self.name.replace("_", "-")
        return f"--{spelled}/--no-{spelled}" if self.kind is bool else f"--{spelled}"

    @property
    def alias(self) -> str:
        """The command line's spelling with underscores, where it differs from the name; else empty."""
        alias = self.spellings.partition("/")[0].removeprefix("--").replace("-", "_")
        return "" if alias == self.name else alias

    @property
    def many(self) -> bool:
        """Whether it takes several values."""
        return get_origin(self.kind) is list

    @property
    def first_spelling(self) -> str:
        """How errors name it: as on the command line, or by its name if it is not there."""
        return self.spellings.partition("/")[0] or self.name

    @property
    def number(self) -> bool:
        """Whether its value is a number."""
        return self.kind in (int, float)

    @property
    def most(self) -> float:
        """Largest number, or most values, that a request may set."""
        return self.option.most or (MOST_VALUES if self.many else MOST_NUMBER)

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that it may have, if they are listed."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    @property
    def default(self) -> str:
        """The default in words; empty if there is none."""
        if self.option.default:
            return self.option.default
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        if self.value == 0 and self.option.zero:
            return self.option.zero
        return f"{self.value:,g}" if isinstance(self.value, float) else _in_words(self.value)

    @property
    def range(self) -> str:
        """Which numbers it takes, in words; empty if any."""
        if self.option.above is not None:
            return f"more than {self.option.above:g}"
        return "" if self.option.least is None else f"at least {self.option.least:g}"

    def check(self, value: Any) -> None:
        """Refuse a value of another type or out of range."""
        name = self.first_spelling
        try:
            msgspec.convert(value, self.kind)
        except msgspec.ValidationError as error:
            raise InputError(f"{name} is wrong: {_plain(error)}") from None
        numbers = value if isinstance(value, list) else [value]
        for number in numbers:
            if isinstance(number, int | float):
                self._check_number(name, number)
        if self.option.check is not None:
            self.option.check(value)

    def check_request(self, value: Any) -> None:
        """Refuse a value that no request may set, besides those that nobody may."""
        self.check(value)
        if self.many and len(value) > self.most:
            raise InputError(f"{self.name} may have at most {self.most:,.0f} values here, not {len(value):,}")
        for number in value if self.many else [value]:
            if isinstance(number, int | float) and number > (MOST_NUMBER if self.many else self.most):
                raise InputError(f"{self.name} must be at most {self.most:,.0f} here, not {number:,}")

    def _check_number(self, name: str, number: float) -> None:
        least, above = self.option.least, self.option.above
        if not isfinite(number):
            raise InputError(f"{name} must be a finite number, not {number}")
        if least == 0 and number < 0:
            raise InputError(f"{name} must not be negative, it is {number}")
        if (least is not None and number < least) or (above is not None and number <= above):
            raise InputError(f"{name} must be {self.range}, not {number}")


def fields_of(cls: type[Struct]) -> dict[str, Field]:
    """Name -> field, for all fields of a class that are options."""
    found = {}
    hints = get_type_hints(cls, include_extras=True)
    for field in msgspec.structs.fields(cls):
        hint = hints[field.name]
        if get_origin(hint) is Annotated:
            kind, option = get_args(hint)
            empty = field.default is msgspec.NODEFAULT
            found[field.name] = Field(field.name, kind, None if empty else field.default, option)
    return found


def _in_words(value: Any) -> str:
    """A number of bytes in its unit, other numbers with commas; empty for what is empty."""
    if not isinstance(value, int):
        return str(value) if value else ""
    for size, unit in ((1 << 20, "MiB"), (10**9, "GB")):
        if value >= size and value % size == 0:
            return f"{value // size} {unit}"
    return f"{value:,}"


def _plain(error: msgspec.ValidationError) -> str:
    """What msgspec says, without its quotes and paths."""
    said = str(error).partition(" - at ")[0].replace("`", "")
    return said[:1].lower() + said[1:]

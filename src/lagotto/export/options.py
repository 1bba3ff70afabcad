"""What an export holds: which pages, in which order, and how much of each."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from lagotto.errors import InputError
from lagotto.export.respect import respected_uses

SORTS = ("fetch", "relevance", "host")
NEAR_DUPLICATES = ("keep", "drop")
NODES = ("pages", "hosts")


class ExportOptions(Struct, frozen=True, kw_only=True):
    """Options of an export, each with the value that it has if the user says nothing."""

    relevant_only: bool = False
    min_relevance: float | None = None
    top: int | None = None
    """Only so many pages: those with the highest relevance."""
    subtopic: frozenset[int] | None = None
    """Only the pages of a subtopic, by their numbers."""
    sort: str = "fetch"
    near_duplicates: str = "keep"
    respect: str = ""
    """Uses, divided by commas: pages that opt out of one are left out. Empty: what the format is made for."""
    with_text: bool = False
    html: bool = False
    markdown: bool = False
    facts: bool = False
    """With all that each page says of itself, as JSON."""
    chunks: int | None = None
    """Words of a chunk; a row is a chunk of a page then."""
    nodes: str = "pages"
    """What the nodes of a link graph are."""

    numbers: tuple[int, ...] | None = None
    """Only the pages with these numbers."""
    topic: str = ""
    """What the crawl looked for, in words; no choice of the user's."""

    def given(self) -> list[str]:
        """Names of the options that differ from their default."""
        usual = ExportOptions()
        return [name for name in self.__struct_fields__ if getattr(self, name) != getattr(usual, name)]


def made_options(values: dict[str, Any]) -> ExportOptions:
    """Options from a user's values; one that makes no sense is an `InputError`."""
    unknown = sorted(values.keys() - set(ExportOptions.__struct_fields__))
    if unknown:
        known = ", ".join(ExportOptions.__struct_fields__)
        raise InputError(f"an export has no option '{unknown[0]}'; it has {known}")
    options = ExportOptions(**{**values, "numbers": _numbers(values.get("numbers"))})
    for name, choices in (("sort", SORTS), ("near_duplicates", NEAR_DUPLICATES), ("nodes", NODES)):
        if getattr(options, name) not in choices:
            raise InputError(
                f"{spelled(name)} cannot be '{getattr(options, name)}'; choose one of {', '.join(choices)}"
            )
    for name in ("top", "chunks"):
        number = getattr(options, name)
        if number is not None and (type(number) is not int or number < 1):
            raise InputError(f"{spelled(name)} must be a whole number of at least 1, not {number}")
    respected_uses(options.respect)
    least = options.min_relevance
    if least is not None and not 0 <= least <= 1:
        raise InputError(f"--min-relevance must lie between 0 and 1, not at {least}")
    return options


def _numbers(given: Any) -> tuple[int, ...] | None:
    """Page numbers, from a list or as `3,17`, each once and in order."""
    if given is None:
        return None
    try:
        found = tuple(sorted({int(each) for each in (given.split(",") if isinstance(given, str) else given)}))
    except (TypeError, ValueError):
        found = ()
    if not found or found[0] < 1:
        raise InputError(f"--numbers are page numbers such as 3,17, not '{given}'")
    return found


def spelled(name: str) -> str:
    """An option as on the command line.

    >>> spelled("min_relevance")
    '--min-relevance'
    """
    return "--" + name.replace("_", "-")

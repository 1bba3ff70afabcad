"""What an export holds: which pages, in which order, and how much of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.facts import Use
from lagotto.base.protocols import Reader, Storage
from lagotto.base.views import StoredPage
from lagotto.harvest.subtopics import subtopics_of

NONE, ALL = "none", "all"
RESPECTED = (*Use, ALL, NONE)
TRAINING = str(Use.TDM)
"""What is respected by default in an export that training is made for."""


def respected_uses(respect: str) -> frozenset[Use]:
    """The uses that a value of `--respect` names; an unknown one is an `InputError`.

    >>> sorted(respected_uses("tdm,ai")), respected_uses("none")
    ([<Use.AI: 'ai'>, <Use.TDM: 'tdm'>], frozenset())
    """
    named = [name.strip() for name in respect.split(",") if name.strip()]
    for name in named:
        if name not in RESPECTED or (len(named) > 1 and name in (ALL, NONE)):
            raise InputError(
                f"--respect cannot be '{respect}'; "
                f"name some of {', '.join(Use)}, divided by commas, or {ALL} or {NONE}"
            )
    return frozenset(Use) if ALL in named else frozenset(Use(name) for name in named if name != NONE)


def opts_out(stored: StoredPage, uses: frozenset[Use]) -> bool:
    """Whether a page opts out of one of these uses."""
    return stored.facts is not None and any(each.use in uses for each in stored.facts.opt_outs)


def left_out_sentence(reader: Reader, respect: str) -> str:
    """How many pages of a crawl opt out of uses that are respected; empty if there are none."""
    uses = respected_uses(respect)
    count = sum(stored.is_page and opts_out(stored, uses) for stored in reader.stored_pages()) if uses else 0
    pages = "page that opts" if count == 1 else "pages that opt"
    return f"left out {count} {pages} out of {respect}; --respect none keeps all" if count else ""


def lost_sentence(reader: Reader) -> str:
    """How many stored answers an export could not read, and why; empty if it could read all."""
    lost = reader.lost_answers
    if not lost:
        return ""
    answers = "1 stored answer" if len(lost) == 1 else f"{len(lost)} stored answers"
    return (
        f"left out {answers} that cannot be read ({next(iter(lost.values()))}); "
        "`lagotto resume` fetches what is missing again"
    )


class FactCounts:
    """Counts licences and opt-outs of pages, for a card or a report."""

    def __init__(self, pages: Iterable[StoredPage] = ()) -> None:
        self.pages = 0
        self.licenses: Counter[str] = Counter()
        """Licence as the page states it, its URL if it has one -> pages; empty if they state none."""
        self.opt_outs: Counter[tuple[Use, str]] = Counter()
        """Use and source of the signal, such as `header` -> pages."""
        for stored in pages:
            self.add(stored)

    def add(self, stored: StoredPage) -> None:
        """Count one page."""
        self.pages += 1
        self.licenses[stored.row.license] += 1
        if stored.facts is not None:
            self.opt_outs.update({(each.use, each.source) for each in stored.facts.opt_outs})


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


def with_subtopic(storage: Storage, reader: Reader, values: dict[str, Any]) -> dict[str, Any]:
    """Options of an export with the pages of a subtopic in the place of its name or id, if there is one."""
    name = values.get("subtopic")
    if name is None:
        return values
    return values | {"subtopic": subtopics_of(storage, reader).numbers(name)}

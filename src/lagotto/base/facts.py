"""What a page says of itself: author, dates, licence, structured data, and which uses it opts out of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec
from msgspec import Struct

MAX_URL = 500
"""Characters of a URL that is kept as a fact."""
MAX_HEADINGS, MAX_HEADING = 30, 120
"""Headings of a page that are kept, and characters of each."""


class Use(StrEnum):
    """A use of a page that its owner can opt out of."""

    TDM = "tdm"
    """Text and data mining, after the TDM Reservation Protocol."""
    AI = "ai"
    """Training of AI models."""
    AI_INPUT = "ai-input"
    """Feeding AI models with the page when they answer."""
    IMAGES = "images"
    """Training of AI models on its pictures."""
    SEARCH = "search"
    """Being found in a search engine."""


class OptOut(Struct, frozen=True, omit_defaults=True):
    """A signal that opts out of a use."""

    use: Use
    source: str
    """Where it was found: `header`, `meta`, `robots.txt` or `tdmrep.json`."""
    detail: str = ""
    """What it says, such as the names of the crawlers that robots.txt keeps out."""

    def __str__(self) -> str:
        return f"{self.use} ({self.source}{': ' if self.detail else ''}{self.detail})"


class PageFacts(Struct, omit_defaults=True):
    """Facts that a page states about itself; what it does not state is empty."""

    author: str = ""
    """Names, divided by semicolons."""
    published: str = ""
    modified: str = ""
    """Dates in the form of ISO 8601, such as `2024-05-01` or `2024-05-01T12:00:00Z`."""
    canonical: str = ""
    """URL under which the page wants to be known, if it is another one."""
    license: str = ""
    """URL of the licence."""
    license_name: str = ""
    """The licence, or the rights, in the page's own words."""
    license_source: str = ""
    """Where the licence is stated: `rel=license`, `json-ld`, `meta`, or `link` to Creative Commons."""
    types: list[str] = []
    """Types of its JSON-LD, such as `NewsArticle`."""
    opengraph: dict[str, str] = {}
    """OpenGraph properties without their prefix, such as `site_name`."""
    opt_outs: list[OptOut] = []
    note: str = ""
    """What a reader of its text must know, such as that it is the beginning of a long file."""
    headings: list[str] = []
    """Its first headings, or entries of its outline."""

    def columns(self) -> dict[str, str]:
        """The facts that are columns of a table, all as text."""
        return {
            "author": self.author,
            "published": self.published,
            "modified": self.modified,
            "canonical": self.canonical,
            "license": self.license or self.license_name,
            "opt_outs": uses_text(self.opt_outs),
        }

    def told(self) -> list[tuple[str, str]]:
        """All facts but headings as names and values for people, wherever a page is explained."""
        dates = [f"{name} {date}" for name in ("published", "modified") if (date := getattr(self, name))]
        license = " ".join(filter(None, (self.license_name, self.license)))
        said = {
            "author": self.author,
            "dates": ", ".join(dates),
            "site": self.opengraph.get("site_name", ""),
            "types": ", ".join(self.types),
            "canonical URL": self.canonical,
            "licence": f"{license} (by {self.license_source})" if license else "",
            "note": self.note,
        }
        opt_outs = [("opts out of", str(each)) for each in self.opt_outs]
        return [*((name, value) for name, value in said.items() if value), *opt_outs]


def uses_text(opt_outs: Iterable[OptOut]) -> str:
    """The uses that are opted out of, each once, in order.

    >>> uses_text([OptOut(Use.TDM, "meta"), OptOut(Use.AI, "meta"), OptOut(Use.TDM, "header")])
    'ai, tdm'
    """
    return ", ".join(sorted({str(each.use) for each in opt_outs}))


def robot_opt_outs(directives: set[str], source: str) -> list[OptOut]:
    """Opt-outs among what is said to robots.

    >>> [str(each) for each in robot_opt_outs({"noindex", "noai"}, "meta")]
    ['ai (meta: noai)']
    """
    found = []
    if "noai" in directives:
        found.append(OptOut(Use.AI, source, "noai"))
    if "noimageai" in directives:
        found.append(OptOut(Use.IMAGES, source, "noimageai"))
    return found


def tdm_opt_outs(reservation: str, policy: str, source: str) -> list[OptOut]:
    """The opt-out that a TDM reservation makes: it is `1` if rights are reserved."""
    return [OptOut(Use.TDM, source, clean(policy, MAX_URL))] if reservation.strip() == "1" else []


def clean(text: str, length: int) -> str:
    """One line without control characters and lone surrogates, not too long."""
    line = " ".join(text[: 2 * length].split())[:length]
    if line.isprintable():
        return line
    return "".join(each if each.isprintable() else " " for each in line).strip()


def encode_facts(facts: PageFacts | None, headings: Sequence[str] = ()) -> str | None:
    """Facts as JSON, with the first headings; None if there are none."""
    if headings:
        kept = [clean(heading, MAX_HEADING) for heading in headings[:MAX_HEADINGS]]
        facts = msgspec.structs.replace(facts or PageFacts(), headings=kept)
    encoded = None if facts is None else msgspec.json.encode(facts).decode("utf-8")
    return None if encoded == "{}" else encoded


def decode_facts(stored: str | bytes | None) -> PageFacts | None:
    """Facts from JSON; None if there are none."""
    return None if stored is None else _decoder.decode(stored)


_decoder = msgspec.json.Decoder(PageFacts)

"""What a document says of itself: in `meta` elements, in JSON-LD, and by links to a licence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

import msgspec

from lagotto.base.facts import MAX_URL, PageFacts, clean, robot_opt_outs, tdm_opt_outs
from lagotto.base.records import Link

MAX_NAME = 200
MAX_TYPES = 16
MAX_PROPERTIES = 16
MAX_BLOCK = 200_000
"""Characters of a block of JSON-LD; a longer one is not read."""
MAX_BLOCKS = 8
MAX_NODES = 200
"""Objects in JSON-LD that are looked at."""
MAX_AUTHORS = 20

_AUTHOR = (
    *("author", "citation_author", "dc.creator", "dcterms.creator", "article:author"),
    *("sailthru.author", "parsely-author"),
)
_PUBLISHED = (
    *("article:published_time", "datepublished", "citation_publication_date", "citation_date"),
    *("dcterms.issued", "dc.date.issued", "dcterms.created", "dc.date.created", "dcterms.date", "dc.date"),
    *("pubdate", "publish-date", "publish_date", "sailthru.date", "parsely-pub-date", "date"),
)
_MODIFIED = (
    *("article:modified_time", "datemodified", "og:updated_time", "dcterms.modified", "dc.date.modified"),
    *("last-modified", "revised"),
)
_LICENSE = ("license", "dcterms.license", "dc.rights.license", "dcterms.rights", "dc.rights", "rights")
_TDM_RESERVATION, _TDM_POLICY = "tdm-reservation", "tdm-policy"
_NAMES = frozenset({*_AUTHOR, *_PUBLISHED, *_MODIFIED, *_LICENSE, _TDM_RESERVATION, _TDM_POLICY})
_OPENGRAPH = "og:"
_KEPT_ELSEWHERE = ("og:description", "og:updated_time")
_CREATIVE_COMMONS = ("creativecommons.org/licenses/", "creativecommons.org/publicdomain/")
_DATE_FORMATS = ("%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b %d, %Y", "%Y%m%d", "%a, %d %b %Y %H:%M:%S %Z")
_iso_date = re.compile(
    r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)?)?"
).match


Resolve = Callable[[str], str | None]
"""Makes a URL of a reference on the page."""


class Stated:
    """What the head of a document states about it, as it stands there."""

    def __init__(self) -> None:
        self.metas: dict[str, list[str]] = {}
        """Name of a `meta` element -> its contents, of which only authors can have several."""
        self.json_ld: list[str] = []
        self.license = ""
        """Target of rel=license."""

    def add_meta(self, name: str, content: str) -> None:
        """Take a `meta` element, if its name says anything here."""
        if name in _NAMES or name.startswith(_OPENGRAPH):
            stated = self.metas.setdefault(name, [])
            if not stated or (name in _AUTHOR and len(stated) < MAX_AUTHORS):
                stated.append(content)

    def add_json_ld(self, block: str) -> None:
        """Take a block of JSON-LD, if it is not too long."""
        if len(block) <= MAX_BLOCK and len(self.json_ld) < MAX_BLOCKS:
            self.json_ld.append(block)


def page_facts(
    stated: Stated, directives: set[str], canonical: str, links: Iterable[Link], resolve: Resolve
) -> PageFacts | None:
    """Facts that a document states; None if it states none.

    `directives` is what it says to robots, `canonical` is empty if it is the page's own URL.
    """
    facts = PageFacts(canonical=canonical[:MAX_URL])
    if stated.metas:
        _read_metas(facts, stated.metas, resolve)
    if stated.json_ld:
        _read_nodes(facts, _nodes(stated.json_ld), resolve)
    if stated.license:
        facts.license_name = ""
        _state_license(facts, resolve(stated.license) or "", "rel=license", resolve)
    _read_license_links(facts, links)
    facts.opt_outs += robot_opt_outs(directives, "meta")
    return None if facts == PageFacts() else facts


def iso_date(text: str) -> str:
    """A date as ISO 8601 writes it, as exact as it was given; empty if it is none.

    >>> iso_date("2024/5/1"), iso_date("May 1, 2024"), iso_date("2024-05-01T10:30:00.000+02:00")
    ('2024-05-01', '2024-05-01', '2024-05-01T10:30:00+02:00')
    """
    text = text.strip()[:60]
    match = _iso_date(text)
    try:
        if match is None:
            return _written_date(text)
        year, month, day, time, zone = match.groups()
        datetime(int(year), int(month), int(day or 1))
    except ValueError:
        return ""
    date = f"{year}-{int(month):02}" + (f"-{int(day):02}" if day else "")
    return f"{date}T{time}{zone or ''}" if day and time else date


def _written_date(text: str) -> str:
    for form in _DATE_FORMATS:
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    return ""


def _read_metas(facts: PageFacts, metas: dict[str, list[str]], resolve: Resolve) -> None:
    facts.author = _authors(next((metas[name] for name in _AUTHOR if name in metas), []))
    facts.published = _first_date(metas, _PUBLISHED)
    facts.modified = _first_date(metas, _MODIFIED)
    for name in _LICENSE:
        if name in metas and not facts.license_source:
            _state_license(facts, metas[name][0], "meta", resolve)
    names = [name for name in metas if name.startswith(_OPENGRAPH) and name not in _KEPT_ELSEWHERE]
    facts.opengraph = {
        clean(name.removeprefix(_OPENGRAPH), MAX_NAME): clean(metas[name][0], MAX_URL)
        for name in names[:MAX_PROPERTIES]
    }
    if _TDM_RESERVATION in metas:
        policy = metas.get(_TDM_POLICY, [""])[0]
        facts.opt_outs += tdm_opt_outs(metas[_TDM_RESERVATION][0], policy, "meta")


def _authors(names: Iterable[str]) -> str:
    kept = (clean(name, MAX_NAME) for name in names if "://" not in name)
    return "; ".join(dict.fromkeys(filter(None, kept)))[:MAX_NAME]


def _first_date(metas: dict[str, list[str]], names: Iterable[str]) -> str:
    return next(filter(None, (iso_date(metas[name][0]) for name in names if name in metas)), "")


def _state_license(facts: PageFacts, stated: str, source: str, resolve: Resolve) -> None:
    """Take a licence that is given as a URL or in words."""
    stated = stated.strip()
    if stated.startswith(("http://", "https://", "//", "/")):
        facts.license = (resolve(stated) or "")[:MAX_URL]
    else:
        facts.license_name = clean(stated, MAX_NAME)
    if facts.license or facts.license_name:
        facts.license_source = source


def _read_license_links(facts: PageFacts, links: Iterable[Link]) -> None:
    """Take the first link marked as leading to the licence, else the first to Creative Commons."""
    commons = None
    for link in links:
        if "license" in link.rel and "license" in link.rel.split():
            facts.license, facts.license_name = link.url[:MAX_URL], link.anchor or link.alt
            facts.license_source = "rel=license"
            break
        if commons is None and "creativecommons.org/" in link.url:
            commons = link if any(part in link.url for part in _CREATIVE_COMMONS) else None
    else:
        if commons is not None and not facts.license_source:
            facts.license, facts.license_name = commons.url[:MAX_URL], commons.anchor or commons.alt
            facts.license_source = "link"
    facts.license_name = clean(facts.license_name, MAX_NAME)


def _nodes(blocks: Iterable[str]) -> list[dict[str, Any]]:
    """Objects of all blocks that are valid JSON, those that describe an article first."""
    found: list[dict[str, Any]] = []
    for block in blocks:
        try:
            found += _objects(msgspec.json.decode(block.strip()))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue
    found.sort(key=lambda node: not any(_is_article(kind) for kind in _types(node)))
    return found[:MAX_NODES]


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """The object itself, those in a list, and those in `@graph`."""
    if isinstance(value, list):
        for each in value[:MAX_NODES]:
            yield from _objects(each) if isinstance(each, dict) else ()
    elif isinstance(value, dict):
        yield value
        yield from _objects(value.get("@graph"))


def _types(node: dict[str, Any]) -> list[str]:
    kinds = node.get("@type")
    return [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]


def _is_article(kind: str) -> bool:
    return kind.endswith(("Article", "Posting", "Report"))


def _read_nodes(facts: PageFacts, nodes: list[dict[str, Any]], resolve: Resolve) -> None:
    kinds = dict.fromkeys(clean(kind, MAX_NAME) for node in nodes for kind in _types(node))
    facts.types = list(kinds)[:MAX_TYPES]
    for node in nodes:
        facts.author = facts.author or _authors(_names(node.get("author")))
        facts.published = facts.published or iso_date(_text(node.get("datePublished")))
        facts.modified = facts.modified or iso_date(_text(node.get("dateModified")))
        license = node.get("license")
        stated = license.get("url") or license.get("name") if isinstance(license, dict) else license
        if not facts.license_source and stated:
            _state_license(facts, _text(stated), "json-ld", resolve)


def _names(author: Any) -> Iterator[str]:
    """Names of one author or several, each a text or an object."""
    for each in author[:MAX_NODES] if isinstance(author, list) else [author]:
        yield _text(each.get("name") if isinstance(each, dict) else each)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

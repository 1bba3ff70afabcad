"""The report as a whole: what it tells, of all kinds of crawls, and what it never does."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

import lagotto
from lagotto.base.errors import InputError, NotACrawl
from lagotto.focus.topic import WeightTable
from lagotto.focus.topic.history import TableVersion
from lagotto.harvest.report.facts import Facts, gather
from lagotto.harvest.report.report import page_of, report_page
from lagotto.store import storage_at
from tests.harvest.report.reading import ReadPage
from tests.harvest.subtopics.made import MadeCrawl

ELEMENTS = [
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "main",
    "header",
    "nav",
    "section",
    "h1",
    "h2",
    "h3",
    "p",
    "a",
    "ul",
    "ol",
    "li",
    "b",
    "span",
    "dl",
    "div",
    "dt",
    "dd",
    "code",
    "pre",
    "figure",
    "figcaption",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "details",
    "summary",
    "footer",
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "text",
]
MADE_AT = datetime(2026, 11, 18, 12, tzinfo=UTC)


def facts_of(directory: Path | str) -> Facts:
    storage = storage_at(directory)
    with storage.reader() as reader:
        return gather(storage, reader, MADE_AT)


def sound(page: str) -> ReadPage:
    """The page, if it is whole and asks nothing of anybody."""
    read = ReadPage(page)
    assert read.wrong == []
    assert {tag for tag, _ in read.elements} <= set(ELEMENTS)
    for _, attributes in read.elements:
        assert not [
            name for name in attributes if name.startswith("on") or name in ("src", "srcset", "style")
        ]
    assert all(link.startswith(("http://", "https://", "#")) for link in read.links)
    style = page.partition("<style>")[2].partition("</style>")[0]
    assert style
    assert "@import" not in style
    assert "url(" not in style
    return read


def test_a_report_tells_what_was_asked_and_found(crawl: MadeCrawl) -> None:
    read = sound(report_page(crawl.directory))
    assert "fetched 80 pages from 4 hosts and judged 40 of them, 50 %, to be on topic" in read.text
    for heading in ("What was asked", "What was found", "How sure it is", "How it behaved", "Configuration"):
        assert heading in read.text
    assert "renewable energy" in read.text
    assert "The 40 pages fall into 2 groups" in read.text
    assert "12 pages drawn at random" in read.text
    assert "site0.example" in read.text


def test_a_report_is_written_whole_and_replaces_nothing_by_itself(crawl: MadeCrawl, tmp_path: Path) -> None:
    path = lagotto.report(crawl.directory, tmp_path / "report.html")
    sound(path.read_text("utf-8"))
    with pytest.raises(InputError, match="exists"):
        lagotto.report(crawl.directory, path)
    lagotto.report(crawl.directory, path, force=True)
    with pytest.raises(NotACrawl):
        lagotto.report(tmp_path / "nothing", tmp_path / "other.html")
    assert not (tmp_path / "other.html").exists()


def test_the_same_crawl_gives_the_same_page(crawl: MadeCrawl) -> None:
    assert page_of(facts_of(crawl.directory)) == page_of(facts_of(crawl.directory))


def test_an_empty_crawl_has_a_report(tmp_path: Path) -> None:
    empty = MadeCrawl(tmp_path / "crawl")
    read = sound(report_page(empty.directory))
    assert "The crawl has fetched no page." in read.text
    empty.close()


def test_a_crawl_without_judgements_says_that_nothing_is_known(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path / "crawl")
    crawl.fetch("solar", "wind", relevance=None)
    read = sound(report_page(crawl.directory))
    assert "It judged none of them" in read.text
    assert "The 40 pages fall into 2 groups" in read.text
    assert "site0.example" in read.text
    crawl.close()


def test_nothing_on_topic_is_said_plainly(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path / "crawl")
    crawl.fetch("solar", relevance=0.1)
    assert "judged 0 of them, 0 %, to be on topic" in sound(report_page(crawl.directory)).text
    crawl.close()


def test_passwords_are_not_told(tmp_path: Path) -> None:
    made = MadeCrawl(tmp_path / "crawl")
    made.fetch("solar", last=3)
    made.close()
    lagotto.steer(made.directory, headers=["X-Key: hidden-key"], proxy="http://me:hidden-word@127.0.0.1:1")
    page = report_page(made.directory)
    assert "hidden" not in page
    assert "X-Key" in page


class Poisoned:
    """Puts a text into every field of a report's facts that can hold one."""

    def __init__(self, payload: str) -> None:
        self.payload = payload

    def into(self, value: Any) -> Any:
        match value:
            case str():
                return self.payload
            case Struct():
                for name in value.__struct_fields__:
                    msgspec.structs.force_setattr(value, name, self.into(getattr(value, name)))
                return value
            case list():
                return [self.into(each) for each in value]
            case tuple() if hasattr(value, "_fields"):
                return value
            case dict():
                changed = {self.into(key): self.into(each) for key, each in value.items()}
                return type(value)(changed)
        return value


def payloads(folder: Path) -> list[str]:
    found = {line for path in sorted(folder.glob("*.txt")) for line in path.read_text("utf-8").splitlines()}
    found |= set(_strings(json.loads((folder / "xss_payloads.json").read_text("utf-8"))))
    return sorted(each for each in found if each.strip())


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in inside for text in _strings(each)]


def test_no_payload_becomes_more_than_text_in_any_field(crawl: MadeCrawl, lagotto_data: Path) -> None:
    """All payloads go through all fields of a report; those that could do harm would add elements."""
    found = payloads(lagotto_data / "conformance" / "xss")
    assert len(found) > 1000
    facts = facts_of(crawl.directory)
    usual = [tag for tag, _ in ReadPage(page_of(poisoned(facts, "harmless"))).elements]
    for first in range(0, len(found), 100):
        some = found[first : first + 100]
        for payload in (" ".join(some), *some[:1]):
            read = sound(page_of(poisoned(facts, payload)))
            extra = [tag for tag, _ in read.elements if tag not in ("a", "span")]
            assert extra == [tag for tag in usual if tag not in ("a", "span")]


def poisoned(facts: Facts, payload: str) -> Facts:
    changed: Facts = Poisoned(payload).into(copy.deepcopy(facts))
    changed.tables = [TableVersion(WeightTable({payload: 1.0}, source=payload), 10)]
    return changed

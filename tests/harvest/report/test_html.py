"""HTML that escapes whatever comes from the web."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.harvest.report.html import element, join, link, table, text
from tests.harvest.report.reading import ReadPage


@given(st.text(), st.text())
def test_any_text_stays_text_wherever_it_stands(content: str, value: str) -> None:
    read = ReadPage(element("p", content, element("b", content), title=value))
    assert [tag for tag, _ in read.elements] == ["p", "b"]
    assert list(read.elements[0][1]) == ["title"]
    assert read.wrong == []


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "//evil.example", " https://a.example", "JaVaScRiPt:x", ""],
)
def test_only_urls_of_the_web_become_links(url: str) -> None:
    assert ReadPage(link(url, "x")).links == []


def test_links_tell_their_target_nothing() -> None:
    [(tag, attributes)] = ReadPage(link("https://a.example/?a=1&b=2", "A & B")).elements
    assert (tag, attributes["href"]) == ("a", "https://a.example/?a=1&b=2")
    assert attributes["rel"] == "noreferrer nofollow noopener"


def test_characters_that_change_the_direction_of_text_are_made_visible() -> None:
    assert text("a\u202eb\x00c\nd") == "a\ufffdb\ufffdc d"
    assert text("\ud800") == "?"


def test_what_is_html_already_is_not_escaped_again() -> None:
    assert join([element("b", "<"), "<"]) == "<b>&lt;</b>&lt;"
    assert table(["a"], [[1]], numbers=[0]).count('class="number"') == 2

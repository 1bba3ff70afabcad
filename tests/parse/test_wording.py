"""Texts of links as terms, and as hashes at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.hashing import END, drop_link_words, hash_texts
from lagotto.parse import wording as module
from lagotto.parse.page import parse_page
from lagotto.parse.wording import Wording, wording

URL = "http://example.org/dir/page.html"
LANGUAGES = st.sampled_from(["en", "fr", "ja", "xx"])
PHRASES = st.sampled_from([(), ("C++",), ("solar power", "power plant")])


@given(
    st.text() | st.sampled_from(["Solar power plants in C++", "l\u2019homme 東京都 x"]), LANGUAGES, PHRASES
)
def test_hashes_are_those_of_the_terms(text: str, language: str, phrases: tuple[str, ...]) -> None:
    reader = wording(language, phrases)
    assert reader.hashes(text.split()) + END == hash_texts(reader.terms(text))


def test_urls_have_the_terms_that_are_not_in_every_url() -> None:
    assert wording("en", ()).url_terms("http://www.example.org/solar%20power/index.html") == [
        *("exampl", "solar", "power"),
    ]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 10)
    monkeypatch.setattr(module, "MEMO_SIZE", 10)
    reader = Wording("en", ())
    for number in range(25):
        target = reader.target(f"http://example.org/heron{number}")
        assert target == reader.target(f"http://example.org/heron{number}")
        assert target.hashes == hash_texts(["exampl", f"heron{number}"])
    assert len(reader._targets) <= 10
    remembered = module._HashesOf("en")
    for number in range(25):
        assert remembered[f"heron{number}"] == hash_texts([f"heron{number}"])[:4]
    assert remembered["x" * 100] == b""
    assert len(remembered) <= 10


@pytest.mark.parametrize("phrases", [(), ("grey heron",)])
def test_bare_links_are_whole_links_without_their_words(phrases: tuple[str, ...]) -> None:
    body = (
        "<h2>Birds</h2><ul><li>See the <a href=a rel=tag>Grey  heron</a> on a roof"
        "<li><a href=//b.org/%41b/x?y><img alt='An  egret'></a> and "
        "<a href=a>the grey heron again</a><li><a href=c title=T></a></ul>"
        f"<a href=/{'long' * 60}>l\u2019été</a><a href=mailto:x>x</a>"
    ).encode()
    whole = parse_page(URL, body, phrases=phrases)
    assert len(whole.links) == 4
    bare = parse_page(URL, body, phrases=phrases, link_words=False)
    drop_link_words(whole)
    assert bare == whole

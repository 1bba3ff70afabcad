"""Results as notebooks show them."""

from __future__ import annotations

from lagotto.harvest.search import Hit, SearchResults, Snippet


def test_results_show_themselves_as_html_and_escape_what_pages_say() -> None:
    hit = Hit(
        page=1,
        url='http://a.example/?"><script>',
        title="<b>Heron</b>",
        host="a.example",
        language="en",
        fetched_at="2026-01-31T12:00:00.000Z",
        score=1.5,
        relevance=0.25,
        relevant=False,
        snippet=Snippet("a <heron> flies", [(2, 9)]),
    )
    html = SearchResults(query="<heron>", hits=[hit], total=1, offset=10)._repr_html_()
    assert "<script>" not in html
    assert "&lt;b&gt;Heron&lt;/b&gt;" in html
    assert "a <mark>&lt;heron&gt;</mark> flies" in html
    assert '<ol start="11">' in html
    assert "relevance 0.25" in html


def test_a_snippet_without_highlights_is_one_piece() -> None:
    assert Snippet("a heron").pieces() == [("a heron", False)]
    assert Snippet("").pieces() == []

"""HTML and Markdown of stored pages, the Markdown read by a parser of others."""

from __future__ import annotations

import time

import pytest
from markdown_it import MarkdownIt

from lagotto.parse.stored import to_markdown

URL = "http://a.example/birds/heron"
PAGE = """<!doctype html><html><head><title>Herons</title><style>p {}</style></head><body>
<header>Site banner</header><nav><a href="/">Home</a></nav>
<main><header><h1>Grey heron</h1></header>
<p>It <em>fishes</em>, see <a href="../owl#eyes">the owl</a>
and <a href="javascript:alert(1)">nothing</a>.</p>
<ul><li>water</li><li>reeds</li></ul>
<ol><li>wait</li><li>strike</li></ol>
<table><tr><th>where</th><th>when</th></tr><tr><td>lake</td><td>dawn</td></tr></table>
<pre><code class="language-python">def strike():
    return "fish"
</code></pre>
<script>alert(2)</script></main>
<div class="navfooter">Prev Up Next</div><aside>Cookies?</aside><footer>Imprint</footer></body></html>"""


def tokens(markdown: str) -> list[tuple[str, str]]:
    parser = MarkdownIt("commonmark").enable("table")
    return [(token.type, token.content) for token in parser.parse(markdown)]


def test_structure_is_kept_and_navigation_is_dropped() -> None:
    markdown = to_markdown(PAGE, URL)
    found = tokens(markdown)
    kinds = [kind for kind, _ in found]
    assert {"heading_open", "bullet_list_open", "ordered_list_open", "table_open", "fence"} <= set(kinds)
    assert ("fence", 'def strike():\n    return "fish"\n') in found
    assert ("inline", "Grey heron") in found
    assert [content for kind, content in found if kind == "inline"][-4:] == ["where", "when", "lake", "dawn"]
    assert "It *fishes*, see [the owl](http://a.example/owl) and nothing." in markdown
    for gone in ("banner", "Home", "Prev", "Cookies", "Imprint", "alert", "p {}"):
        assert gone not in markdown


def test_a_page_of_nothing_but_navigation_is_kept() -> None:
    assert to_markdown("<nav><a href=/owl>Owl</a></nav>", URL) == "[Owl](http://a.example/owl)"


def test_links_start_from_the_base_and_can_be_left_out() -> None:
    html = '<base href="/docs/"><p><a href="x">X</a> <img src=y alt="a drawing">'
    assert to_markdown(html, URL) == "[X](http://a.example/docs/x) a drawing"
    assert to_markdown(html, URL, links=False) == "X a drawing"


@pytest.mark.parametrize("text", ["# no heading", "1. no list", "*plain*", "<b>", "| a | b |", "[x](y)"])
def test_text_is_no_markup(text: str) -> None:
    html = "<p>" + text.replace("<", "&lt;") + "</p>"
    parsed = MarkdownIt("commonmark").enable("table").parse(to_markdown(html, URL))
    assert [token.type for token in parsed] == ["paragraph_open", "inline", "paragraph_close"]
    assert parsed[1].children is not None
    assert "".join(child.content for child in parsed[1].children) == text


@pytest.mark.parametrize("tag", ["<div class=nav>", "<a href=x>", "<ul><li>", "<blockquote>", "<header>"])
def test_deep_pages_take_no_long_time(tag: str) -> None:
    begin = time.process_time()
    to_markdown(tag * 5000 + "x", URL)
    assert time.process_time() - begin < 5

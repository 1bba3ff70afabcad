"""What is read from an HTML document: head, text, headings, links in their places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lagotto.base.records import Fetched, Page
from lagotto.parse.engine import parse_tree
from lagotto.parse.html import read_html
from lagotto.parse.pool import ParserPool
from lagotto.parse.walk import MAX_HEADINGS, MAX_LINKS

_TAGS = [
    "a href=/x", "a", "/a", "b", "/b", "p", "/p", "div class='k l'", "/div", "nav", "/nav", "header",
    "/header", "article", "/article", "h2", "/h2", "table", "tr", "td", "/table", "ul", "li", "/ul",
    "img alt=pic", "br", "script", "/script", "template", "/template", "svg", "title", "/title", "/svg",
    "iframe src=/f", "/iframe", "select", "option", "/select", "noscript", "/noscript", "form", "math",
    "mi", "frameset", "body", "/body", "html lang=de", "base href=/b/", "area href=/m alt=map", "!-- x --",
    "textarea", "/textarea", "![CDATA[ z ]]",
]  # fmt: skip
_soup = st.lists(
    st.sampled_from([f"<{tag}>" for tag in _TAGS] + ["word ", "two words", "\n  ", "&amp;", "\0", "&#0;"]),
    max_size=60,
).map("".join)


def test_text_is_a_line_a_block() -> None:
    document = read_html(
        "<p>one <b>bo</b>ld\n   two<br>three<div>four</div>five<ul><li>six<li>seven</ul>"
        "<table><tr><td>a<td>b<tr><td>c</table>tail<pre>x\n  y</pre>"
    )
    assert document.main_text.split("\n") == [
        "one bold two", "three", "four", "five", "six", "seven", "a b", "c", "tail", "x y",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "part",
    [
        "<nav>menu</nav>",
        "<header>banner</header>",
        "<footer>imprint</footer>",
        "<aside>advert</aside>",
        "<nav><header>both</header></nav>",
        "<script>code()</script>",
        "<style>b{}</style>",
        "<template><p>later</p></template>",
        "<!-- remark -->",
        "<select><option>Afghanistan</select>",
        "<textarea>type here</textarea>",
        "<video>no video</video>",
        "<iframe src=x>no frames</iframe>",
        "<svg><title>icon</title></svg>",
    ],
)
def test_main_text_leaves_out_what_is_not_content(part: str) -> None:
    document = read_html(f"<title>T</title><body><p>before</p>{part}<p>after</p>")
    assert document.main_text == "before\nafter"
    assert document.title == "T"


def test_an_article_keeps_its_own_header_and_footer() -> None:
    document = read_html(
        "<header>site</header><article><header>lead</header>story<footer>author</footer></article>"
    )
    assert document.main_text == "lead\nstory\nauthor"


def test_a_page_that_is_all_navigation_keeps_its_text() -> None:
    assert read_html("<nav><a href=/a>only</a> <a href=/b>menu</a></nav>").main_text == "only menu"


def test_links_in_navigation_are_links() -> None:
    document = read_html("<nav><a href=/menu>Menu</a></nav><footer><a href=/imprint>Imprint</a></footer><p>x")
    assert [anchor.target for anchor in document.anchors] == ["/menu", "/imprint"]


def test_every_kind_of_link_and_its_place() -> None:
    document = read_html(
        """<link rel="next" href=/next title="Page 2"><link rel=alternate hreflang=de href=/de>
        <link rel=alternate type=application/rss+xml href=/feed><link rel=stylesheet href=/css>
        <h1>First</h1><div class="content wide">
        <ul><li>see <a href=/a rel="NoFollow  external">the <i>a</i></a></ul>
        <h2>Second <a href=/h>in it</a></h2><map><area href=/area alt="the area"></map>
        <iframe src=/frame title=F></iframe><a href=/pic title=tip><img alt=one><img alt="two"></a>
        <a name=no>none</a><template><a href=/t>t</a></template>"""
    )
    found = {anchor.target: anchor for anchor in document.anchors}
    assert list(found) == ["/next", "/de", "/a", "/h", "/area", "/frame", "/pic"]
    assert (found["/next"].rel, found["/next"].label, found["/next"].path) == ("next", "Page 2", "head>link")
    assert document.whole_text[found["/a"].start : found["/a"].end].strip() == "the a"
    assert (found["/a"].rel, found["/a"].path) == ("nofollow external", "div.content>ul>li>a")
    assert (found["/a"].heading, found["/h"].heading, found["/area"].heading) == (
        "First",
        "First",
        "Second in it",
    )
    assert (found["/area"].alt, found["/frame"].label) == ("the area", "F")
    assert (found["/pic"].alt, found["/pic"].label) == ("one two", "tip")
    assert document.headings == ["First", "Second in it"]


def test_frames_are_links() -> None:
    document = read_html("<frameset><frame src=menu.html><frame src=main.html></frameset>")
    assert [anchor.target for anchor in document.anchors] == ["menu.html", "main.html"]


def test_a_path_keeps_its_last_steps_and_first_classes() -> None:
    deep = "".join(f"<div class='c{i} x'>" for i in range(20)) + "<a href=/x>x</a><span><a href=/y>y</a>"
    paths = [anchor.path for anchor in read_html(deep).anchors]
    assert paths == [
        "div.c13>div.c14>div.c15>div.c16>div.c17>div.c18>div.c19>a",
        "div.c14>div.c15>div.c16>div.c17>div.c18>div.c19>span>a",
    ]


def test_the_head() -> None:
    document = read_html(
        """<html lang=en-GB><title> A &amp; B </title><title>other</title><base target=_top><base href=/one/>
        <base href=/two/><meta name=Description content=" what\n it is ">
        <meta property=og:description content=no>
        <link rel="canonical" href="/c"><meta http-equiv=Refresh content="3; URL='/r'"><meta charset=utf-8>"""
    )
    assert (document.title, document.description) == (" A & B ", "what it is")
    assert (document.language, document.base, document.charset) == ("en-GB", "/one/", "utf-8")
    assert (document.canonical, document.refresh) == ("/c", "/r")


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("5; url=/a b", "/a b"),
        ("0;/a", "/a"),
        ("0, URL = /a ", "/a"),
        ("0;url='/a'x", "/a"),
        (" 1.5 ; '/a", "/a"),
        ("5", ""),
        ("5;", ""),
        ("", ""),
        ("url=/a", ""),
    ],
)
def test_refresh_targets(content: str, target: str) -> None:
    assert read_html(f'<meta http-equiv=refresh content="{content}">').refresh == target


@pytest.mark.parametrize(
    ("markup", "directives"),
    [
        ("<meta name=robots content='NOINDEX, nofollow'>", {"noindex", "nofollow"}),
        ("<meta name=Lagotto content=none><meta name=robots content=index>", {"none", "index"}),
        ("<meta name=googlebot content=noindex>", set()),
        ("<template><meta name=robots content=noindex></template>", set()),
    ],
)
def test_words_to_robots(markup: str, directives: set[str]) -> None:
    assert read_html(markup).directives == directives


def test_links_and_headings_have_an_end() -> None:
    document = read_html("".join(f"<h2>x</h2><a href=/{i}>b</a>" for i in range(MAX_LINKS + 10)))
    assert len(document.anchors) == MAX_LINKS
    assert document.surplus == 10
    assert len(document.headings) == MAX_HEADINGS


@given(_soup)
@example("<a href=/x>a<table><a href=/x>b<tr><td></table>c")
@example("<p><nav>x</nav>y<a href=/x><div>z</div></a>")
def test_tag_soup_loses_no_text(html: str) -> None:
    document = read_html(html)
    assert "\0" not in document.whole_text
    for anchor in document.anchors:
        assert 0 <= anchor.start <= anchor.end <= len(document.whole_text)
        assert 0 <= anchor.text_start <= anchor.text_end <= len(document.whole_text)
    everything = "".join(document.whole_text.split())
    lines = "".join(document.main_text.split())
    assert len(lines) <= len(everything)
    body = (
        parse_tree(html)
        .remove("script, style, template, select, textarea, svg title, title")
        .select_one("body")
    )
    if body is not None and not body.select("iframe"):
        assert everything == "".join(body.text.split())


@given(_soup)
@example("<a href=/x></a><a href=/x>word</a>")
def test_anchor_text_is_what_the_tree_says(html: str) -> None:
    document = read_html(html)
    tree = parse_tree(html).remove("script, style, template, select, textarea, datalist, svg title, title")
    for frame in tree.select("iframe"):
        frame.clear()
    texts = ["".join(element.text.split()) for element in tree.select("body a[href='/x']")]
    anchors = [anchor for anchor in document.anchors if anchor.target == "/x"]
    assert len(anchors) == bool(texts)
    for anchor in anchors:
        assert "".join(document.whole_text[anchor.start : anchor.end].split()) == texts[0]
        assert "".join(document.whole_text[anchor.text_start : anchor.text_end].split()) in texts


def test_links_that_others_extract(lagotto_data: Path) -> None:
    path = lagotto_data / "conformance/html/link_extraction_expected.json"
    cases = json.loads(path.read_text("utf-8"))["cases"]
    assert sum(len(case["links"]) for case in cases) == 61
    followed = 0
    for case in cases:
        document = read_html(case["html"])
        targets = [anchor.target for anchor in document.anchors]
        expected = [
            url.replace("&amp;", "&") for url, kind in case["links"] if kind in ("A@/href", "IFRAME@/src")
        ]
        # Pictures, styles, scripts and what only a script would open are not followed.
        assert targets == list(dict.fromkeys(url.partition("#")[0] for url in expected)), case["name"]
        followed += len(expected)
        named = {kind: url for url, kind in case["links"]}
        assert document.base == named.get("__base__")
        assert document.refresh == named.get("__meta_refresh__", "")
    assert followed == 14


def test_links_of_misnested_markup(lagotto_data: Path) -> None:
    path = lagotto_data / "conformance/html/tree_links.json"
    for case in json.loads(path.read_text("utf-8"))["cases"]:
        expected = [
            link["value"].partition("#")[0]
            for link in case["links"]
            if link["tag"].split()[-1] in ("a", "area") and not link["in_template"]
        ]
        document = read_html(case["html"])
        assert [anchor.target for anchor in document.anchors] == list(dict.fromkeys(expected)), case["html"]


def fuzz_documents(data: Path) -> list[bytes]:
    """Crash tests, each case of tree construction, and each of its files as one page."""
    folder = data / "conformance/html"
    documents = [path.read_bytes() for path in (folder / "crashtests").glob("*.html")]
    for path in (folder / "tree-construction").glob("*.dat"):
        cases = path.read_bytes()
        documents.append(cases)
        documents += [case.partition(b"\n#errors")[0] for case in cases.split(b"#data\n")[1:]]
    return documents


async def test_markup_that_broke_parsers_is_read_within_the_limit(lagotto_data: Path) -> None:
    documents = fuzz_documents(lagotto_data)
    assert len(documents) > 1550
    pool = ParserPool(size=1)
    assert pool.seconds == 5.0
    try:
        for body in documents:
            page = Fetched("http://a.example/", 200, body=body, content_type="text/html")
            assert isinstance(await pool.parse(page), Page), body
    finally:
        await pool.close()
    assert pool.deaths == {}

"""What an HTML document holds: head, text, headings, and links in their places."""

from __future__ import annotations

import re

from lagotto.parse.encoding import charset_of
from lagotto.parse.engine import Document as Tree
from lagotto.parse.engine import Element, parse_tree
from lagotto.parse.facts import Stated
from lagotto.parse.links import Anchor
from lagotto.parse.walk import Walk

ROBOT = "lagotto"
"""Name by which a `meta` element may address us, beside `robots`."""

# Never seen as text, and their links are no links.
_MUTED = ("script", "style", "template", "select", "textarea", "datalist", "noframes", "noembed")
_HEAD = ("title", "base", "link", "meta", "iframe")
_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})
_FOLLOWED_RELATIONS = frozenset({"next", "prev", "alternate"})
_empty_element = re.compile(r"<(a|div|iframe|p|script|span|style|textarea|title)\b([^<>]*)/>").sub
_refresh_target = re.compile(
    r"""\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))""", re.IGNORECASE | re.DOTALL
).match


class Document:
    """A document as read."""

    def __init__(self) -> None:
        self.title = ""
        self.description = ""
        self.keywords = ""
        self.language = ""
        self.charset = ""
        self.base: str | None = None
        self.canonical = ""
        self.refresh = ""
        self.directives: set[str] = set()
        """What `meta` elements say to robots, such as `nofollow`."""
        self.stated = Stated()
        self.headings: list[str] = []
        self.anchors: list[Anchor] = []
        self.surplus = 0
        """Links beyond the number that a page may have."""
        self.whole_text = ""
        """All text, white space as in the source; anchors know their places in it."""
        self.main_text = ""
        """Text without navigation, headers, footers and asides, a line a block."""


def read_html(html: str) -> Document:
    """Read a document: its head by element, its body in one walk."""
    tree = parse_tree(html)
    document = Document()
    if "ld+json" in html:
        for element in tree.select("script[type='application/ld+json']"):
            document.stated.add_json_ld(element.text)
    for element in list(tree.iter_elements(_MUTED)):
        element.extract()
    _read_head(tree, document)
    body = tree.select_one("body, frameset")
    if body is not None:
        walk = Walk(document.anchors)
        walk.read(body)
        document.headings = walk.headings
        document.surplus = walk.surplus
        document.whole_text = walk.whole_text()
        document.main_text = walk.main_text()
    return document


def _read_head(tree: Tree, document: Document) -> None:
    """Read the elements of the head, also those that stand in the body."""
    root = tree.root
    if root is not None:
        document.language = root.attr("lang") or root.attr("xml:lang") or ""
    for element in list(tree.iter_elements(_HEAD)):
        tag = element.tag
        if tag == "meta":
            _read_meta(element, document)
        elif tag == "link":
            _read_link(element, document)
        elif tag == "base":
            document.base = document.base if document.base is not None else element.attr("href")
        elif tag == "title":
            # Drawings have titles as well.
            if not document.title and element.closest("svg") is None:
                document.title = element.text
            element.extract()
        else:
            element.clear()  # what stands in a frame is for browsers without, as unparsed markup


def _read_link(element: Element, document: Document) -> None:
    href = element.attr("href") or ""
    relations = (element.attr("rel") or "").lower().split()
    if not href:
        return
    if "canonical" in relations:
        document.canonical = document.canonical or href
    elif "license" in relations:
        document.stated.license = document.stated.license or href
    elif not _FOLLOWED_RELATIONS.isdisjoint(relations) and "stylesheet" not in relations:
        # Feeds and style sheets are alternates as well, but no pages.
        kind = (element.attr("type") or "").partition(";")[0].strip().lower()
        if kind in _PAGE_TYPES:
            anchor = Anchor(href.partition("#")[0], " ".join(relations), "head>link")
            anchor.label = element.attr("title") or ""
            document.anchors.append(anchor)


def _read_meta(element: Element, document: Document) -> None:
    content = element.attr("content") or ""
    name = (element.attr("name") or element.attr("property") or "").strip().lower()
    pragma = (element.attr("http-equiv") or "").lower()
    if content:
        document.stated.add_meta(name or (element.attr("itemprop") or "").lower(), content)
    if name in ("description", "og:description"):
        document.description = document.description or " ".join(content.split())
    elif name == "keywords":
        document.keywords = document.keywords or " ".join(content.split())
    elif name in ("robots", ROBOT):
        document.directives.update(re.split(r"[,\s]+", content.strip().lower()))
    elif pragma == "refresh" and not document.refresh:
        match = _refresh_target(content)
        document.refresh = next(filter(None, match.groups()), "").strip() if match else ""
    elif pragma == "content-language":
        document.language = document.language or content.partition(",")[0].strip()
    elif not document.charset:
        document.charset = element.attr("charset") or (
            charset_of(content) if pragma == "content-type" else ""
        )


def close_empty_elements(xhtml: str) -> str:
    """Write XHTML's empty elements out: in HTML `<script/>` only opens an element, which swallows the rest.

    >>> close_empty_elements('<script src="x"/><a id="top"/><br/>')
    '<script src="x"></script><a id="top"></a><br/>'
    """
    return _empty_element(r"<\1\2></\1>", xhtml)

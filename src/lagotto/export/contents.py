"""What a stored page holds: its HTML, its main content as Markdown, its text."""

from __future__ import annotations

import re

from lagotto.parse.encoding import charset_of, decode, decode_again
from lagotto.parse.engine import Document, Element, Text, parse_tree
from lagotto.parse.html import close_empty_elements
from lagotto.protocols import Reader
from lagotto.urls import base_url, canonical
from lagotto.views import StoredPage

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_NEVER_TEXT = (
    "script style template select textarea datalist noframes noembed noscript iframe object embed svg canvas"
    " audio video button title"
)
_MUTED = tuple(_NEVER_TEXT.split())
_ROLES = frozenset({"banner", "complementary", "contentinfo", "menu", "menubar", "navigation", "search"})
_NAVIGATION = "breadcrumb breadcrumbs menu nav navbar navfooter navheader navigation pagination sidebar"
_NAMES = frozenset(_NAVIGATION.split())
"""Classes and ids of elements that are navigation whatever their tag."""
_escape = re.compile(r"([\\`*_\[\]<#>])").sub


def html_of(reader: Reader, stored: StoredPage) -> str | None:
    """The page as it was served, decoded; None if it is not HTML or was not kept."""
    kind = stored.content_type.partition(";")[0].strip().lower()
    if stored.place is None or not stored.is_page or kind not in HTML_TYPES:
        return None
    answer = reader.body(stored.place)
    decoded = decode(answer.body, answer.header("content-type"))
    if not decoded.certain:
        charset = _charset(parse_tree(decoded.text))
        decoded = decode_again(answer.body, charset, decoded) or decoded
    return close_empty_elements(decoded.text) if kind == "application/xhtml+xml" else decoded.text


def markdown_of(reader: Reader, stored: StoredPage, *, links: bool = True) -> str | None:
    """The main content as Markdown; from the stored text, without structure, if there is no HTML.

    The page must have been read with its text. None if it is no page.
    """
    if not stored.is_page:
        return None
    html = html_of(reader, stored)
    if html is not None:
        return to_markdown(html, stored.row.final_url, links=links)
    return "\n\n".join(_escape(r"\\\1", line) for line in (stored.row.text or "").splitlines())


def to_markdown(html: str, url: str, *, links: bool = True) -> str:
    """The main content of an HTML document as Markdown, without navigation, its links absolute.

    >>> to_markdown('<nav>Menu</nav><h1>Owls</h1><p>See <a href="b">more</a>.', "http://a.example/x/y")
    '# Owls\\n\\nSee [more](http://a.example/x/b).'
    >>> to_markdown('<p>See <a href="b">more</a>.', "http://a.example/", links=False)
    'See more.'
    """
    body, start = _body(html, url)
    if body is None:
        return ""
    for element in [element for element in body.iter_elements() if _is_aside(element)]:
        element.extract()
    if not body.text.strip():
        body, start = _body(html, url)  # nothing but navigation
        assert body is not None
    _mend_links(body, start, links)
    return body.to_markdown().strip()


def _body(html: str, url: str) -> tuple[Element | None, str]:
    """The body without what is never text, and what its relative links start from."""
    tree = parse_tree(html)
    base = tree.select_one("base[href]")
    for element in list(tree.iter_elements(_MUTED)):
        element.extract()
    return tree.select_one("body"), url if base is None else base_url(base.attr("href") or "", url)


def _is_aside(element: Element) -> bool:
    """Whether an element is navigation, or a header or footer of the whole page."""
    tag = element.tag
    if tag in ("nav", "aside"):
        return True
    if tag in ("header", "footer"):
        return element.closest("article, main") is None
    if tag in ("main", "article", "body"):
        return False
    if (element.attr("role") or "").lower() in _ROLES:
        return True
    names = f"{element.attr('class') or ''} {element.attr('id') or ''}".lower().split()
    return not _NAMES.isdisjoint(names)


def _mend_links(body: Element, start: str, links: bool) -> None:
    """Make links absolute; take away those that lead to no page, and all of them on demand."""
    for element in list(body.iter_elements(("a", "img"))):
        if element.tag == "img":
            alt = (element.attr("alt") or "").strip()
            element.replace_with(Text(alt))
            continue
        href = (element.attr("href") or "").strip()
        target = canonical(href, start) if links and href and not href.startswith("#") else None
        if target is not None and element.text.strip():
            element.attrs["href"] = target
        else:
            element.unwrap()


def _charset(tree: Document) -> str:
    for element in tree.iter_elements(("meta",)):
        pragma = (element.attr("http-equiv") or "").lower()
        named = charset_of(element.attr("content") or "") if pragma == "content-type" else ""
        if charset := element.attr("charset") or named:
            return charset
    return ""

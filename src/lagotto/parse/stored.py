"""What a stored page holds: its HTML, its main content as Markdown, its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lagotto.base.errors import LostAnswer
from lagotto.base.protocols import Reader
from lagotto.base.urls import base_url, canonical
from lagotto.base.views import StoredPage
from lagotto.parse.content import Model, main_content
from lagotto.parse.encoding import charset_of, decode, decode_again
from lagotto.parse.engine import Document, Element, Text, parse_tree
from lagotto.parse.html import close_empty_elements

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_IN_LAYOUT = "table, h1, h2, h3, h4, h5, h6, ul, ol, dl, pre, blockquote, hr"
"""What stands in the cells of tables that only place things on the page."""
_TABLE_PARTS = "caption, tbody, thead, tfoot, tr, td, th"
_escape = re.compile(r"([\\`*_\[\]<#>])").sub


def html_of(reader: Reader, stored: StoredPage) -> str | None:
    """The page as it was served, decoded; None if it is not HTML, was not kept, or is lost."""
    kind = stored.content_type.partition(";")[0].strip().lower()
    if stored.place is None or not stored.is_page or kind not in HTML_TYPES:
        return None
    try:
        answer = reader.body(stored.place)
    except LostAnswer:
        return None
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


def text_of(reader: Reader, stored: StoredPage) -> str | None:
    """The main content as plain text; the stored text if there is no HTML.

    The page must have been read with its text.
    """
    html = html_of(reader, stored)
    return stored.row.text if html is None else to_text(html)


def reading_texts(reader: Reader, numbers: Iterable[int]) -> Iterator[str]:
    """What a reader would read of each of these pages, in the order of the numbers."""
    for stored in reader.pages_at(numbers, with_text=True):
        yield text_of(reader, stored) or ""


def to_text(html: str, model: Model | None = None) -> str:
    """The main content of an HTML document as plain text, a blank line between blocks.

    >>> to_text('<nav>Menu</nav><h1>Owls</h1><p>See <a href="b">more</a>.<ul><li>Barn owl</ul>')
    'Owls\\n\\nSee more.\\n\\n* Barn owl'
    """
    content = _content(parse_tree(html), html, model)
    return "" if content is None else content.to_text().strip()


def to_markdown(html: str, url: str, *, links: bool = True) -> str:
    """The main content of an HTML document as Markdown, its links absolute.

    >>> to_markdown('<nav>Menu</nav><h1>Owls</h1><p>See <a href="b">more</a>.', "http://a.example/x/y")
    '# Owls\\n\\nSee [more](http://a.example/x/b).'
    >>> to_markdown('<p>See <a href="b">more</a>.', "http://a.example/", links=False)
    'See more.'
    """
    tree = parse_tree(html)
    base = tree.select_one("base[href]")
    start = url if base is None else base_url(base.attr("href") or "", url)
    content = _content(tree, html)
    if content is None:
        return ""
    _mend_links(content, start, links)
    return content.to_markdown().strip()


def _content(tree: Document, html: str, model: Model | None = None) -> Element | None:
    """The main content, or the whole body if there is nothing but navigation; ready to be written."""
    content = main_content(tree, model)
    if content is not None and not content.text.strip():
        content = parse_tree(html).select_one("body")
    if content is not None:
        _mend_layout(content)
    return content


def _mend_layout(content: Element) -> None:
    """Make blocks of tables that only place things on the page, and of lists that only indent them."""
    for table in list(content.iter_elements(("table",))):
        if table.select_one(_IN_LAYOUT) is not None:
            parts = [part for part in table.select(_TABLE_PARTS) if part.closest("table") == table]
            for part in [*parts, table]:
                if part.tag in ("td", "th", "caption"):
                    part.wrap_children(Element("div"))
                part.unwrap()
    for listing in list(content.iter_elements(("ul", "ol"))):
        if listing.select_one("li") is None:
            listing.wrap_children(Element("div"))
            listing.unwrap()


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

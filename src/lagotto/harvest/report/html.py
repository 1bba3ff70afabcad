"""HTML made of elements: every text is escaped, wherever it stands.

Titles, URLs and host names come from strangers. A text becomes part of a page only through `element` or
`join`, which escape it; what was made so is `Html` and is not escaped again.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

MARK = "\ufffd"
"""Stands in the place of characters that could change how text around them is shown."""
_HARMFUL = dict.fromkeys(
    [
        *range(0x20),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        0x200E,
        0x200F,
        0x061C,
    ],
    MARK,
) | {0x09: " ", 0x0A: " ", 0x0D: " "}
_LINKED = ("http://", "https://")


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = str | int | float | None


def text(content: Content) -> Html:
    """A text as HTML: escaped, control characters and marks of direction made visible."""
    if isinstance(content, Html):
        return content
    shown = "" if content is None else str(content)
    whole = shown.encode("utf-8", "replace").decode("utf-8")
    return Html(escape(whole.translate(_HARMFUL), quote=True))


def join(parts: Iterable[Content]) -> Html:
    """Texts and elements one after the other."""
    return Html("".join(map(text, parts)))


def element(name: str, *children: Content, **attributes: Content) -> Html:
    """An element; `class_` is the attribute class, and attributes that are None are left out.

    >>> element("p", "1 < 2", class_="note")
    '<p class="note">1 &lt; 2</p>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{given}>{join(children)}</{name}>")


def link(url: str, *children: Content) -> Html:
    """A link that tells its target nothing; plain text if the URL is not of the web."""
    shown = children or (url,)
    if not url.lower().startswith(_LINKED):
        return element("span", *shown)
    return element("a", *shown, href=url, rel="noreferrer nofollow noopener")


def table(
    heads: Iterable[Content], rows: Iterable[Iterable[Content]], *, numbers: Iterable[int] = ()
) -> Html:
    """A table; `numbers` are the columns that hold figures."""
    right = set(numbers)

    def cells(name: str, row: Iterable[Content]) -> Html:
        return join(
            element(name, cell, class_="number" if at in right else None) for at, cell in enumerate(row)
        )

    body = join(element("tr", cells("td", row)) for row in rows)
    head = element("thead", element("tr", cells("th", heads)))
    return element("div", element("table", head, element("tbody", body)), class_="scroll")


def pairs(rows: Iterable[tuple[Content, Content]]) -> Html:
    """Names with their values; pairs without a value are left out."""
    shown = [(name, value) for name, value in rows if value not in (None, "")]
    return element("dl", join(element("div", element("dt", n), element("dd", v)) for n, v in shown))

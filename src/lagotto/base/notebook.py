"""HTML by which results show themselves in a notebook. Whatever comes from the web is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def link(url: str, text: str) -> str:
    """A link to a page; only http(s) addresses become links.

    >>> link("http://a.example/?<", "<Birds>")
    '<a href="http://a.example/?&lt;">&lt;Birds&gt;</a>'
    """
    if not url.startswith(("http://", "https://")):
        return escape(text)
    return f'<a href="{escape(url)}">{escape(text)}</a>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells of its rows are HTML already."""
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>"

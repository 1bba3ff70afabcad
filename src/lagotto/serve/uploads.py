"""Example pages that come with a request: as documents, or as files beside the crawls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from lagotto.base.errors import InputError
from lagotto.focus.topic import Document
from lagotto.focus.topic.documents import HTML_SUFFIXES
from lagotto.parse.page import parse_page

MOST = 500
"""Pages of one upload."""


class UploadedPage(Struct, forbid_unknown_fields=True):
    """A page of HTML or plain text; the end of its name says which."""

    name: Annotated[str, Meta(max_length=500)]
    text: str


Uploads = Annotated[list[UploadedPage], Meta(max_length=MOST)]


def is_html(page: UploadedPage) -> bool:
    """Whether a page is HTML, by its name."""
    return page.name.lower().endswith(HTML_SUFFIXES)


def documents(pages: Sequence[UploadedPage], what: str) -> list[Document]:
    """Uploaded pages as the topic sees them."""
    found = []
    for page in pages:
        kind = "text/html" if is_html(page) else "text/plain"
        parsed = parse_page("http://upload.invalid/", page.text.encode("utf-8", "replace"), kind)
        if parsed.terms:
            found.append(Document.from_page(parsed))
    if pages and not found:
        raise InputError(f"there is no word on the {what}; upload pages of HTML or plain text")
    return found


def save(pages: Sequence[UploadedPage], folder: Path) -> None:
    """Write pages to files in a new folder, under names of our own."""
    folder.mkdir(parents=True)
    for number, page in enumerate(pages, 1):
        path = folder / f"{number:04}{'.html' if is_html(page) else '.txt'}"
        path.write_text(page.text, encoding="utf-8", errors="replace")

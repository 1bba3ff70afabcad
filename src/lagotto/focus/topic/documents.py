"""Example pages as the topic stage sees them: text and term counts, wherever they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.records import Page
from lagotto.base.text import count_terms
from lagotto.base.text.tokens import looks_binary

PageParser = Callable[[str, bytes, str], Page]
"""Parses URL, body and content type to a page; given by the caller, because this package must not parse."""
HTML_SUFFIXES = (".html", ".htm", ".xhtml")
TEXT_SUFFIXES = (".txt", ".md", ".text")
MAX_BYTES = 10_000_000
"""Larger files are skipped."""


class Document(Struct, frozen=True):
    """One page of a topic."""

    terms: dict[str, int]
    text: str = ""
    """For display and for cutting into contexts; may be empty."""
    source: str = ""

    @classmethod
    def from_text(
        cls, text: str, *, language: str = "en", phrases: Iterable[str] = (), source: str = ""
    ) -> Document:
        """A document of plain text."""
        return cls(count_terms(text, language, phrases), text, source)

    @classmethod
    def from_page(cls, page: Page) -> Document:
        """A document of a page that the crawl has fetched and parsed."""
        return cls(page.terms, f"{page.title}\n{page.text}", page.url)


def read_folder(folder: Path, parse: PageParser) -> list[Document]:
    """All pages (.html, .htm, .txt, .md) in a folder and its subfolders, in the order of their names.

    Binary files and pages without a single term are left out, as are links that lead out of the folder.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; give one with pages in it (.html or .txt)")
    inside = folder.resolve()
    paths = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in HTML_SUFFIXES + TEXT_SUFFIXES and path.is_file()
    ]
    documents = [
        document
        for path in paths
        if path.resolve().is_relative_to(inside) and (document := _read(path, parse)) and document.terms
    ]
    if not documents:
        raise InputError(f"there are no pages in {folder}; put .html or .txt files there")
    return documents


def read_document(path: Path, parse: PageParser) -> Document:
    """One page from a file; empty when it is too large to be one."""
    document = _read(path, parse)
    if document is None:
        raise InputError(f"{path} is not a page; give a file of HTML or plain text")
    return document


def _read(path: Path, parse: PageParser) -> Document | None:
    """The page in a file; None if the file is binary."""
    try:
        content = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
    except OSError as error:
        raise InputError(f"cannot read the page {path}: {error.strerror}") from error
    if looks_binary(content):
        return None
    is_html = path.suffix.lower() in HTML_SUFFIXES
    page = parse(path.resolve().as_uri(), content, "text/html" if is_html else "text/plain")
    return Document(page.terms, f"{page.title}\n{page.text}", str(path))

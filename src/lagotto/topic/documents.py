"""Example pages as the topic stage sees them: text and term counts, wherever they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from lagotto.errors import InputError
from lagotto.records import Page
from lagotto.text import count_terms

HtmlText = Callable[[bytes], str]
"""Makes plain text of an HTML page, tags, scripts and styles removed."""
HTML_SUFFIXES = (".html", ".htm", ".xhtml")
TEXT_SUFFIXES = (".txt", ".md", ".text")
MAX_BYTES = 10_000_000
"""A larger file is no page and is passed over."""


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


def read_folder(
    folder: Path, html_text: HtmlText, *, language: str = "en", phrases: Iterable[str] = ()
) -> list[Document]:
    """All pages (.html, .htm, .txt, .md) in a folder and its subfolders, in the order of their names.

    Pages without a single term are left out, as are links that lead out of the folder.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; give one with pages in it (.html or .txt)")
    spelled = list(phrases)
    documents: list[Document] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in HTML_SUFFIXES + TEXT_SUFFIXES or not path.is_file():
            continue
        document = read_document(path, html_text, language=language, phrases=spelled)
        if document.terms and path.resolve().is_relative_to(folder.resolve()):
            documents.append(document)
    if not documents:
        raise InputError(f"there are no pages in {folder}; put .html or .txt files there")
    return documents


def read_document(
    path: Path, html_text: HtmlText, *, language: str = "en", phrases: Iterable[str] = ()
) -> Document:
    """One page from a file; empty when it is too large to be one."""
    try:
        content = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
    except OSError as error:
        raise InputError(f"cannot read the page {path}: {error.strerror}") from error
    is_html = path.suffix.lower() in HTML_SUFFIXES
    text = html_text(content) if is_html else content.decode("utf-8-sig", "replace")
    return Document.from_text(text, language=language, phrases=phrases, source=str(path))

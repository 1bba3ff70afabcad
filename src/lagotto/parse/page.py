"""From a fetched body to a `Page`: decode, read, count terms, resolve links."""

from __future__ import annotations

import re
from typing import NamedTuple

import xxhash

from lagotto.base.hashing import hash_page
from lagotto.base.reasons import Refused
from lagotto.base.records import Page
from lagotto.base.text import count_terms, counting, searched_names, terms, tokens
from lagotto.base.urls import base_url
from lagotto.parse.encoding import Decoded, decode, decode_again
from lagotto.parse.facts import page_facts
from lagotto.parse.html import Document, close_empty_elements, read_html
from lagotto.parse.language import page_language
from lagotto.parse.links import LinkReader
from lagotto.parse.pdf import PDF_TYPE, read_pdf
from lagotto.parse.wording import wording

MIN_LENGTH = 60
"""A text of fewer characters says too little: two pages may share it and still be different."""


def fingerprint(title: str, text: str, body: bytes) -> int:
    """Signed 64-bit checksum of title and text, case aside; of the body where there is hardly any text."""
    content = f"{title}\n{text}".lower().encode("utf-8", "replace") if len(text) >= MIN_LENGTH else body
    return _signed(xxhash.xxh3_64_intdigest(content))


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


MAX_TITLE = 500
MAX_DESCRIPTION = 2000
MAX_KEYWORDS = 1000
"""Characters of meta keywords that are read; a longer list is spam."""
LONG = 1 << 19
"""Bytes from which on a body is worth a look for blanks."""
_BLANKS = b" \t\n\r\f"
# As `{64,}`, but in two thirds of its time.
_long_blank = re.compile(rb"[ \t\n\r\f]{64}[ \t\n\r\f]*")


class _Wanted(NamedTuple):
    """What the crawl wants of its pages."""

    phrases: tuple[str, ...]
    language: str
    link_words: bool


def parse_page(
    url: str,
    body: bytes,
    content_type: str = "text/html",
    declared_type: str = "",
    phrases: tuple[str, ...] = (),
    language: str = "en",
    *,
    link_words: bool = True,
) -> Page:
    """Make a page of a body.

    `content_type` says what the body is, `declared_type` is the Content-Type header it came with,
    `phrases` are the user's, each to be counted as one term, and `language` is the one whose stems are taken
    when the page does not tell its own. Without `link_words`, links have hashes in place of their terms,
    context, heading and DOM path.
    """
    wanted = _Wanted(phrases, language, link_words)
    kind = content_type.partition(";")[0].strip().lower()
    if kind == PDF_TYPE:
        return _pdf_page(url, body, wanted)
    body = _without_blanks(body)
    decoded = decode(body, declared_type or content_type)
    if kind == "text/plain":
        return _plain_page(url, body, decoded, wanted)
    document = _read(decoded.text, kind)
    corrected = decode_again(body, document.charset, decoded)
    if corrected is not None:
        # Bytes above ASCII were read wrongly; without them only the label changes.
        document = document if body.isascii() else _read(corrected.text, kind)
        decoded = corrected
    return _html_page(url, body, decoded.encoding, document, wanted)


def _without_blanks(body: bytes) -> bytes:
    """A long body that is mostly white space, with each long run of it replaced by one line feed.

    Megabytes of blanks are some kilobytes when compressed, and take long to read. In UTF-16 no more
    than half of the bytes are blanks.
    """
    if len(body) < LONG or 2 * len(body.translate(None, _BLANKS)) >= len(body):
        return body
    return _long_blank.sub(b"\n", body)


def _read(text: str, kind: str) -> Document:
    return read_html(close_empty_elements(text) if kind == "application/xhtml+xml" else text)


def _html_page(url: str, body: bytes, encoding: str, document: Document, wanted: _Wanted) -> Page:
    text = document.main_text
    page = Page(
        url=url,
        title=" ".join(document.title.split())[:MAX_TITLE],
        description=document.description[:MAX_DESCRIPTION],
        headings=document.headings,
        text=text,
        encoding=encoding,
        noindex=not document.directives.isdisjoint(("noindex", "none")),
        nofollow=not document.directives.isdisjoint(("nofollow", "none")),
    )
    language = _add_terms(page, document.language, wanted)
    page.keyword_terms = terms(document.keywords[:MAX_KEYWORDS], language, wanted.phrases)
    page.fingerprint = fingerprint(page.title, text, body)
    base = url if document.base is None else base_url(document.base, url)
    reader = LinkReader(url, base, encoding, wording(language, wanted.phrases))
    page.links = reader.read(document.anchors, document.whole_text, words=wanted.link_words)
    if document.surplus:
        reader.leave_out(Refused.TOO_MANY, document.surplus)
    page.left_out = reader.left_out
    page.canonical = reader.resolve(document.canonical) or "" if document.canonical else ""
    page.refresh = reader.resolve(document.refresh) or "" if document.refresh else ""
    elsewhere = page.canonical if page.canonical != url else ""
    page.facts = page_facts(document.stated, document.directives, elsewhere, page.links, reader.resolve)
    return page


def _plain_page(url: str, body: bytes, decoded: Decoded, wanted: _Wanted) -> Page:
    lines = (" ".join(line.split()) for line in decoded.text.splitlines())
    page = Page(url=url, text="\n".join(filter(None, lines)), encoding=decoded.encoding)
    _add_terms(page, "", wanted)
    page.fingerprint = fingerprint("", page.text, body)
    return page


def _pdf_page(url: str, body: bytes, wanted: _Wanted) -> Page:
    content = read_pdf(body)
    page = Page(
        url=url, title=content.title, headings=content.headings, text=content.text, facts=content.facts
    )
    language = _add_terms(page, "", wanted)
    page.keyword_terms = terms(content.keywords, language, wanted.phrases)
    page.fingerprint = fingerprint(page.title, page.text, body)
    reader = LinkReader(url, url, "UTF-8", wording(language, wanted.phrases))
    page.links = reader.read(content.anchors, content.text, words=wanted.link_words)
    page.left_out = reader.left_out
    return page


def _add_terms(page: Page, declared_language: str, wanted: _Wanted) -> str:
    """Fill in language, terms and their hashes; returns the language whose stems were taken."""
    found = tokens(page.text)
    page.language = page_language(declared_language, page.text, found)
    language = page.language or wanted.language
    phrases = wanted.phrases
    page.title_terms = terms(page.title, language, phrases)
    # Names such as C++ are found in the text; its tokens do not hold them.
    page.terms = count_terms(page.text if searched_names(phrases) else found, language, phrases)
    for term in page.title_terms:
        page.terms[term] = page.terms.get(term, 0) + 1
    page.counting = counting(wanted.language, phrases)
    hash_page(page)
    return language

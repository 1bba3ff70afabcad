"""PDF files as pages: text, outline, links and what the file says of itself, by PDFium (extra `pdf`)."""

from __future__ import annotations

import ctypes
import re
import time
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.facts import PageFacts, clean
from lagotto.base.reasons import Reason
from lagotto.parse.links import Anchor

PDF_TYPE = "application/pdf"
MAX_PAGES = 500
MAX_CHARACTERS = 2_000_000
MAX_SECONDS = 3.0
"""CPU time after which the rest of the file is left out; the parser process is ended somewhat later."""
MAX_HEADINGS = 500
MAX_HEADING = 300
MAX_LINKS = 10_000
MAX_NAME = 200
FULL = 0.7
"""A line shorter than this share of the longest line on its page ends a paragraph."""
_BROKEN_WORD = re.compile("[\ufffe\x02\u00ad](?:\r?\n)?|(?<=[a-z])-\r?\n(?=[a-z])")
_date = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?").match
_made_up = re.compile(r"untitled|microsoft word - |.*\.(?:docx?|tex|dvi|pdf|indd|rtf)$", re.IGNORECASE).match


class UnreadablePdf(Exception):
    """A PDF that cannot be opened, and the reason."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class PdfContent(Struct):
    """What a PDF holds."""

    title: str = ""
    text: str = ""
    """A line a paragraph."""
    headings: list[str] = []
    """Its outline."""
    anchors: list[Anchor] = []
    """Links, their places counted in `text`."""
    keywords: str = ""
    facts: PageFacts | None = None


def check_pdf(wanted: bool) -> None:
    """Raise `InputError` if PDF files are wanted and the library for them is missing."""
    if wanted and find_spec("pypdfium2") is None:
        raise InputError("reading PDF files needs pypdfium2; install it with: pip install pypdfium2")


def read_pdf(body: bytes) -> PdfContent:
    """Read a PDF, as far as the limits go; raises `UnreadablePdf`."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise UnreadablePdf(Reason.PDF_ENCRYPTED) from None
        raise UnreadablePdf(Reason.PDF_BROKEN) from None
    with closing(document):
        return _Reading(document, pypdfium2.PdfiumError).content


class _Reading:
    """Reads an open document, page by page."""

    def __init__(self, document: Any, error: type[Exception]) -> None:
        self._document = document
        self._error = error
        """What PDFium raises."""
        self._began = time.process_time()
        self._pieces: list[str] = []
        self._size = 0
        self._first_line = ""
        said = document.get_metadata_dict()
        self.content = content = PdfContent()
        facts = PageFacts(note=self._read_pages())
        content.text = "\n".join(self._pieces)
        content.headings = list(self._outline())
        title = clean(said.get("Title", ""), MAX_HEADING)
        content.title = clean(self._first_line, MAX_HEADING) if not title or _made_up(title) else title
        content.keywords = clean(said.get("Keywords", ""), 1000)
        facts.author = clean(said.get("Author", ""), MAX_NAME)
        facts.published = pdf_date(said.get("CreationDate", ""))
        facts.modified = pdf_date(said.get("ModDate", ""))
        content.facts = None if facts == PageFacts() else facts

    def _read_pages(self) -> str:
        """Read pages until a limit is reached; returns what was left out, as a note."""
        total, damaged = len(self._document), 0
        for number in range(total):
            late = time.process_time() - self._began > MAX_SECONDS
            if number >= MAX_PAGES or self._size > MAX_CHARACTERS or late:
                return f"the first {number} of {total} pages"
            try:
                self._read_page(number)
            except self._error:
                damaged += 1
        if damaged == total:
            raise UnreadablePdf(Reason.PDF_BROKEN, "none of its pages can be read")
        return f"without {damaged} of {total} pages, which are damaged" if damaged else ""

    def _read_page(self, number: int) -> None:
        with closing(self._document[number]) as page, closing(page.get_textpage()) as text_page:
            written = text_page.get_text_range()
            text, start = paragraphs(written), self._size
            self._first_line = self._first_line or written.strip().partition("\n")[0]
            self._pieces.append(text)
            self._size += len(text) + 1
            for target, shown in self._links(page, text_page):
                if len(self.content.anchors) >= MAX_LINKS:
                    return
                self.content.anchors.append(_anchor(target, shown, text, start))

    def _links(self, page: Any, text_page: Any) -> Iterator[tuple[str, str]]:
        """Targets of a page's links with their text: boxes that can be clicked, and URLs in the text."""
        import pypdfium2.raw as pdfium

        position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
        while pdfium.FPDFLink_Enumerate(page, ctypes.byref(position), ctypes.byref(link)):
            action = pdfium.FPDFLink_GetAction(link)
            if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
                continue
            size = pdfium.FPDFAction_GetURIPath(self._document, action, None, 0)
            buffer = ctypes.create_string_buffer(size)
            pdfium.FPDFAction_GetURIPath(self._document, action, buffer, size)
            box = pdfium.FS_RECTF()
            shown = ""
            if pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(box)):
                shown = text_page.get_text_bounded(box.left, box.bottom, box.right, box.top)
            yield buffer.value.decode("utf-8", "replace"), " ".join(shown.split())
        found = pdfium.FPDFLink_LoadWebLinks(text_page)
        try:
            for at in range(pdfium.FPDFLink_CountWebLinks(found)):
                size = pdfium.FPDFLink_GetURL(found, at, None, 0)
                letters = (ctypes.c_ushort * size)()
                pdfium.FPDFLink_GetURL(found, at, letters, size)
                url = bytes(letters).decode("utf-16-le", "replace").rstrip("\0")
                yield url, url
        finally:
            pdfium.FPDFLink_CloseWebLinks(found)

    def _outline(self) -> Iterator[str]:
        for count, entry in enumerate(self._document.get_toc(max_depth=6)):
            if count >= MAX_HEADINGS:
                return
            if title := clean(entry.get_title() or "", MAX_HEADING):
                yield title


def paragraphs(text: str) -> str:
    """Lines of a page put together to paragraphs, words that a line end divides made whole.

    >>> paragraphs("Owls hunt by night and sleep by\\r\\nday.\\r\\nHerons hunt at dawn, as some owls do.")
    'Owls hunt by night and sleep by day.\\nHerons hunt at dawn, as some owls do.'
    """
    lines = [" ".join(line.split()) for line in _BROKEN_WORD.sub("", text).splitlines()]
    lines = [line.replace("\0", "") for line in lines if line]
    full = FULL * max(map(len, lines), default=0)
    found: list[str] = []
    going_on = False
    for line in lines:
        if going_on:
            found[-1] += f" {line}"
        else:
            found.append(line)
        going_on = len(line) >= full
    return "\n".join(found)


def pdf_date(text: str) -> str:
    """A date as ISO 8601 writes it; empty if it is none.

    >>> pdf_date("D:20240501103000+02'00'"), pdf_date("D:2024"), pdf_date("soon")
    ('2024-05-01T10:30:00+02:00', '2024', '')
    """
    match = _date(text.strip())
    if match is None:
        return ""
    year, month, day, hour, minute, second, utc, offset, rest = match.groups()
    date = "-".join(filter(None, (year, month, day)))
    if not (day and hour):
        return date
    zone = "Z" if utc else f"{offset}:{rest or '00'}" if offset else ""
    return f"{date}T{hour}:{minute}:{second or '00'}{zone}"


def _anchor(target: str, shown: str, text: str, start: int) -> Anchor:
    """A link with its place, found by its text on a page that starts there."""
    at = text.find(shown) if shown else -1
    place = start + max(at, 0)
    end = place + len(shown) if at >= 0 else place
    anchor = Anchor(target.partition("#")[0], "", "page>a", start=place, end=end)
    anchor.text_start, anchor.text_end, anchor.length = place, end, end - place
    anchor.label = "" if at >= 0 else shown
    return anchor

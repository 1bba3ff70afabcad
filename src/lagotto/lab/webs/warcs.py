"""Reading WARC files into a frozen web."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple
from urllib.parse import urlsplit

from lagotto.errors import InputError
from lagotto.fetch.decode import BadEncoding, Decoder, TooLarge
from lagotto.lab.webs.web import WebPage
from lagotto.urls import canonical, host_of

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_TYPE_LENGTH = 100
MAX_BODY = 32 << 20


class Redirect(NamedTuple):
    """A URL that redirects."""

    url: str
    target: str


class RobotsText(NamedTuple):
    """A host's robots.txt."""

    host: str
    text: str


class Unused(NamedTuple):
    """An entry that cannot be used, and why."""

    reason: str


Entry = WebPage | Redirect | RobotsText | Unused


def read_warc(stream: BinaryIO) -> Iterator[Entry]:
    """Pages, redirects and robots.txt texts of a WARC file, compressed or not, in its order.

    A truncated file, such as that of a killed crawl, gives its complete records.
    """
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ModuleNotFoundError:
        raise InputError("reading WARC files needs FastWARC; install it with: pip install fastwarc") from None
    records = iter(ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=False))
    while True:
        try:
            record = next(records, None)
        except OSError:
            yield Unused("damaged rest of a WARC file")
            return
        if record is None:
            return
        try:
            yield _entry(record)
        except (OSError, BadEncoding):
            yield Unused("damaged record")
        except TooLarge:
            yield Unused(f"larger than {MAX_BODY >> 20} MiB")


def _entry(record: WarcRecord) -> Entry:
    url = canonical((record.headers.get("WARC-Target-URI") or "").strip("<> "))
    if url is None:
        return Unused("no http URL")
    # Content encodings are decoded here. FastWARC would stop at the first body that it cannot decode.
    record.parse_http(auto_decode="transfer")
    status = record.http_headers.status_code
    if status in REDIRECTS:
        return Redirect(url, record.http_headers.get("Location") or "")
    if status != 200:
        return Unused("status other than 200")
    if urlsplit(url).path == "/robots.txt":
        return RobotsText(host_of(url), _body(record).decode("utf-8", "replace"))
    declared = " ".join((record.http_headers.get("Content-Type") or "").split())
    identified = record.headers.get("WARC-Identified-Payload-Type") or ""
    if not HTML_TYPES & {_bare(declared), _bare(identified)}:
        return Unused("not HTML")
    return WebPage(url, _body(record), (declared or identified)[:MAX_TYPE_LENGTH])


def _body(record: WarcRecord) -> bytes:
    encoding = record.http_headers.get("Content-Encoding") or ""
    return Decoder(encoding, MAX_BODY).decode(record.reader.read())


def _bare(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()

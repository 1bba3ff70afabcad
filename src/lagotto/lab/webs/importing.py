"""Importing pages into a frozen web: from JSONL, WARC and WACZ files and from crawl directories.

The format of a file is recognised by its first bytes, not by its name. Sources are streamed: only a few
pages are in memory at a time.
"""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple, cast
from urllib.parse import urlsplit

import msgspec

from lagotto.base import zstd
from lagotto.base.errors import InputError
from lagotto.base.urls import canonical, host_of
from lagotto.fetch.decode import BadEncoding, Decoder, TooLarge
from lagotto.lab.webs.freezing import WebWriter
from lagotto.lab.webs.web import WebPage, input_errors

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


GZIP, ZSTD, LZ4, ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"PK\x03\x04"
ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 27}
HEAD_BYTES = 64 << 10
PROGRESS_EVERY = 200

Progress = Callable[[int, float], None]
"""Callback that receives the number of imported pages and the share of the input that is read."""


class Imported(NamedTuple):
    """How many pages were imported, and what was left out."""

    pages: int
    left_out: dict[str, int]
    """Reason -> number of entries left out."""


class JsonPage(msgspec.Struct):
    """A line of a JSONL file."""

    url: str
    html: str


NOT_FROZEN = frozenset({".jsonl", ".gz", ".zst", ".warc", ".wacz"})
"""Endings of files that hold pages to import."""


def needs_import(path: Path) -> bool:
    """Whether a path is a folder or file of pages that must be frozen first, rather than a frozen web."""
    if not path.exists():
        raise InputError(f"there is no web {path}")
    return path.is_dir() or path.suffix in NOT_FROZEN


def import_web(sources: Sequence[str | Path], out: str | Path, progress: Progress | None = None) -> Imported:
    """Freeze the pages of some files and crawl directories into the file `out`."""
    files = [file for source in sources for file in _files_of(Path(source))]
    total = sum(file.stat().st_size for file in files) or 1
    left_out: Counter[str] = Counter()
    read_before = 0
    with WebWriter(out) as writer:
        for file in files:
            with input_errors(f"cannot read {file}"), file.open("rb") as stream:
                for number, entry in enumerate(_entries(file, stream), 1):
                    unused = _take(writer, entry)
                    if unused:
                        left_out[unused] += 1
                    if progress and number % PROGRESS_EVERY == 0:
                        progress(len(writer), (read_before + stream.tell()) / total)
            read_before += file.stat().st_size
    if progress:
        progress(len(writer), 1.0)
    return Imported(len(writer), dict(left_out))


def _take(writer: WebWriter, entry: Entry) -> str:
    """Add an entry to the web; returns the reason if it was left out, else an empty string."""
    match entry:
        case WebPage(url, body, content_type):
            return "" if writer.add(url, body, content_type) else "not a URL, or a page already in"
        case Redirect(url, target):
            return "" if writer.add_redirect(url, target) else "redirect to no URL"
        case RobotsText(host, text):
            writer.add_robots(host, text)
            return ""
        case Unused(reason):
            return reason


def _files_of(source: Path) -> list[Path]:
    """The file itself, the `pages.jsonl` of a folder, or the WARC files of a crawl directory."""
    if not source.exists():
        raise InputError(f"there is no {source}; name a JSONL, WARC or WACZ file or a crawl directory")
    if not source.is_dir():
        return [source]
    pages = sorted(source.glob("pages.jsonl*"))
    if pages:
        return pages[:1]
    folder = source / "warc" if (source / "warc").is_dir() else source
    files = sorted(file for file in folder.iterdir() if ".warc" in file.suffixes)
    if not files:
        raise InputError(f"there are no WARC files in {folder}; name a crawl directory or a file")
    return files


def _entries(path: Path, stream: BinaryIO) -> Iterator[Entry]:
    """Entries of a file of any known format and compression."""
    head = stream.read(HEAD_BYTES)
    stream.seek(0)
    if head.startswith(ZIP):
        yield from _read_wacz(path, stream)
        return
    start = _plain_start(head)
    if start.startswith(b"WARC/") or head.startswith(LZ4):
        yield from read_warc(stream)
    elif start.startswith(b"{"):
        yield from _read_jsonl(path, stream, head)
    else:
        raise InputError(f"{path} is no JSONL, WARC or WACZ file; only these can be imported")


def _plain_start(head: bytes) -> bytes:
    """The first bytes of a file, decompressed; empty if they are damaged."""
    try:
        if head.startswith(GZIP):
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
        elif head.startswith(ZSTD):
            head = zstd.ZstdDecompressor(options=ZSTD_OPTIONS).decompress(head)
    except (zlib.error, zstd.ZstdError):
        return b""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")


def _read_wacz(path: Path, stream: BinaryIO) -> Iterator[Entry]:
    try:
        with zipfile.ZipFile(stream) as archive:
            names = [name for name in archive.namelist() if ".warc" in Path(name).suffixes]
            if not names:
                raise InputError(f"there is no WARC file in {path}; a WACZ file has one in archive/")
            for name in names:
                with archive.open(name) as member:
                    yield from read_warc(cast(BinaryIO, member))
    except zipfile.BadZipFile as error:
        raise InputError(f"{path} is a damaged WACZ file; download or export it again") from error


def _read_jsonl(path: Path, stream: BinaryIO, head: bytes) -> Iterator[WebPage]:
    decoder = msgspec.json.Decoder(JsonPage)
    lines_read = 0
    try:
        for line in _lines(stream, head):
            lines_read += 1
            if not line.isspace():
                page = decoder.decode(line)
                yield WebPage(page.url, page.html.encode("utf-8", "replace"))
    except msgspec.DecodeError as error:
        raise InputError(
            f'line {lines_read} of {path} is not {{"url": ..., "html": ...}} ({error}); correct it'
        ) from error
    except (EOFError, zlib.error, zstd.ZstdError) as error:
        raise InputError(f"{path} is damaged after line {lines_read}; copy or download it again") from error


def _lines(stream: BinaryIO, head: bytes) -> IO[bytes]:
    if head.startswith(GZIP):
        return cast(IO[bytes], gzip.GzipFile(fileobj=stream))
    if head.startswith(ZSTD):
        return cast(IO[bytes], zstd.ZstdFile(stream, options=ZSTD_OPTIONS))
    return stream

"""PDF files for tests, written by hand: text, links, an outline, facts about the file, and damage."""

from __future__ import annotations

import zlib
from collections.abc import Sequence


def make_pdf(
    pages: Sequence[Sequence[str]],
    *,
    info: dict[str, str] | None = None,
    links: Sequence[tuple[int, str, int]] = (),
    outline: Sequence[str] = (),
    encrypted: bool = False,
) -> bytes:
    """A PDF with these lines on its pages.

    Each of `links` is a page, a URL, and the line that it lies on. An encrypted file cannot be opened.
    """
    objects: list[bytes] = [b"", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]

    def add(content: bytes) -> int:
        objects.append(content)
        return len(objects)

    kids = []
    for number, lines in enumerate(pages):
        shown = b"".join(
            b"BT /F1 10 Tf 50 %d Td (%s) Tj ET\n" % (780 - 14 * at, _escaped(line))
            for at, line in enumerate(lines)
        )
        stream = add(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown))
        boxes = [
            add(
                b"<< /Type /Annot /Subtype /Link /Rect [45 %d 550 %d] /A << /S /URI /URI (%s) >> >>"
                % (776 - 14 * line, 792 - 14 * line, _escaped(url))
            )
            for page, url, line in links
            if page == number
        ]
        annotations = b" ".join(b"%d 0 R" % box for box in boxes)
        kids.append(
            add(
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Annots [%s]"
                b" /Resources << /Font << /F1 3 0 R >> >> >>" % (stream, annotations)
            )
        )
    first = len(objects) + 2
    entries = b""
    if outline:
        root = add(b"<< /Type /Outlines /First %d 0 R /Last %d 0 R >>" % (first, first + len(outline) - 1))
        for at, title in enumerate(outline):
            following = b" /Next %d 0 R" % (first + at + 1) if at + 1 < len(outline) else b""
            add(
                b"<< /Title (%s) /Parent %d 0 R%s /Dest [%d 0 R /Fit] >>"
                % (_escaped(title), root, following, kids[0])
            )
        entries = b" /Outlines %d 0 R" % root
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R%s >>" % entries
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
        b" ".join(b"%d 0 R" % kid for kid in kids),
        len(kids),
    )
    trailer = b"/Root 1 0 R"
    if info:
        said = b" ".join(b"/%s (%s)" % (name.encode(), _escaped(value)) for name, value in info.items())
        trailer += b" /Info %d 0 R" % add(b"<< %s >>" % said)
    if encrypted:
        secret = b"00" * 32
        lock = add(b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (secret, secret))
        trailer += b" /Encrypt %d 0 R /ID [<00> <00>]" % lock
    return _file(objects, trailer)


def make_hungry_pdf(unit: bytes, megabytes: int) -> bytes:
    """A small file with one page whose content is so much of a repeated text once it is unpacked."""
    packer = zlib.compressobj(9)
    text = unit * (2**20 // len(unit))
    content = b"".join(packer.compress(text) for _ in range(megabytes)) + packer.flush()
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [5 0 R] /Count 1 >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(content), content),
            page + b" /Resources << /Font << /F1 3 0 R >> >> >>",
        ],
        b"/Root 1 0 R",
    )


def _file(objects: Sequence[bytes], trailer: bytes) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(out)


def _escaped(text: str) -> bytes:
    return text.encode("latin-1").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")

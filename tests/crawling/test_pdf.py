"""PDF files in a crawl: fetched, read and followed on demand, kept and exported."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from aiohttp import web

import lagotto
from lagotto.base.records import Reason
from lagotto.store import storage_at
from tests.crawling.stored import stored_pages
from tests.parse.pdfs import make_pdf
from tests.site import Site

FILE = make_pdf(
    [["A study of herons", "Herons stand in the shallow water and wait for fish.", "More herons"]],
    info={"Author": "Ann Lee"},
    links=[(0, "/more.html", 2)],
)
LOCKED = make_pdf([["Secret herons"]], encrypted=True)


def file(body: bytes, kind: str) -> Any:
    return lambda _: web.Response(body=body, content_type=kind)


PAGES = {
    "/": "<title>Herons</title><p>Herons: <a href=study.pdf>a study</a>, <a href=locked>another</a>",
    "/study.pdf": file(FILE, "application/octet-stream"),
    "/locked": file(LOCKED, "application/pdf"),
    "/more.html": "<title>More</title><p>More about herons, the grey ones above all.",
}


async def test_pdf_files_are_pages_on_demand(tmp_path: Path) -> None:
    async with Site(PAGES) as site:
        pages = await stored_pages(site, tmp_path / "crawl", pdf=True)
    study = pages["/study.pdf"]
    assert (study.content_type, study.row.title, study.row.author) == (
        "application/pdf",
        "A study of herons",
        "Ann Lee",
    )
    assert pages["/more.html"].row.parent.endswith("/study.pdf"), "its links are followed"
    assert pages["/locked"].row.reason == Reason.PDF_ENCRYPTED
    assert study.place is not None
    with storage_at(tmp_path / "crawl").reader() as reader:
        assert reader.body(study.place).body == FILE

    def exported(format: str, **options: Any) -> Path:
        path = tmp_path / f"{format}{len(options)}"
        lagotto.export_crawl(tmp_path / "crawl", path, format=format, **options)
        return path

    rows = [json.loads(line) for line in exported("jsonl", with_text=True).read_text().splitlines()]
    [row] = [row for row in rows if row["url"].endswith(".pdf")]
    assert "wait for fish" in row["text"]
    chunks = exported("jsonl", chunks=50, with_text=False).read_text()
    assert "wait for fish" in chunks
    folder = exported("folder")
    with (folder / "index.csv").open(newline="") as index:
        [name] = [row["file"] for row in csv.DictReader(index) if row["url"].endswith(".pdf")]
    assert (folder / name).read_bytes() == FILE


async def test_pdf_files_are_left_alone_by_default(tmp_path: Path) -> None:
    async with Site(PAGES) as site:
        pages = await stored_pages(site, tmp_path / "crawl")
    assert set(pages) == {"/", "/locked"}
    assert pages["/locked"].row.reason == Reason.CONTENT_TYPE

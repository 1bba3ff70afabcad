"""Exports: every row, in order, safe to open, and there only when they are whole."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.errors import CrawlDirectoryError, InputError, UnknownName
from lagotto.records import FetchedRow
from lagotto.store import FORMATS, CrawlReader, SqliteStore, export, export_rows
from lagotto.store.tables import COLUMNS, safe_cell, write_csv, write_jsonl
from lagotto.testing.stores import outcome, seed, top
from lagotto.urls import SHARDS
from tests.conftest import PROJECT
from tests.store.crawls import BIRDS, BODIES, a_crawl

DESIGN = (
    "seq url final_url status fetched_at relevance relevant title depth parent link_score host language "
    "fingerprint reason"
)


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[CrawlReader]:
    a_crawl(tmp_path / "crawl")
    with CrawlReader.open(tmp_path / "crawl") as reader:
        yield reader


def test_columns() -> None:
    assert list(COLUMNS) == DESIGN.split()


def test_jsonl(crawl: CrawlReader, tmp_path: Path) -> None:
    assert export(crawl, "jsonl", tmp_path / "out.jsonl") == 5
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [list(row) for row in rows] == [DESIGN.split()] * 5
    assert [row["seq"] for row in rows] == [1, 2, 3, 4, 5]
    assert rows[2]["title"] == "Der Fischreiher, naïve 鳥"
    assert (rows[3]["relevant"], rows[3]["relevance"]) == (None, None)


def test_text_and_relevant_only(crawl: CrawlReader, tmp_path: Path) -> None:
    count = export(crawl, "jsonl", tmp_path / "out.jsonl", with_text=True, relevant_only=True)
    [row] = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert (count, row["url"], row["text"]) == (1, BIRDS, "Text of Der Fischreiher, naïve 鳥")


def test_csv(crawl: CrawlReader, tmp_path: Path) -> None:
    assert export(crawl, "csv", tmp_path / "out.csv", with_text=True) == 5
    with (tmp_path / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == [*DESIGN.split(), "text"]
    assert rows[1]["title"] == "'=HYPERLINK(1)"
    assert (rows[2]["relevant"], rows[3]["relevant"], rows[3]["relevance"]) == ("true", "", "")
    assert rows[0]["text"] == "Text of Seed"


def test_stream(crawl: CrawlReader) -> None:
    stream = io.BytesIO()
    assert export_rows(crawl, "csv", stream) == 5
    assert stream.getvalue().startswith(b"seq,url,")
    with pytest.raises(UnknownName, match="needs a path"):
        export_rows(crawl, "folder", stream)


def test_folder(crawl: CrawlReader, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert export(crawl, "folder", folder, with_text=True) == 5
    with (folder / "index.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    files = {row["url"]: row["file"] for row in rows if row["file"]}
    assert files[BIRDS] == "pages/0000/0000003-birds.example-Der-Fischreiher-na-ve.html"
    assert {url: (folder / file).read_bytes() for url, file in files.items()} == {
        url: body for url, body in BODIES.items() if url in files
    }
    assert len(files) == 3
    assert (folder / files[BIRDS]).with_suffix(".txt").read_text() == "Text of Der Fischreiher, naïve 鳥"
    assert not [path.name for path in tmp_path.joinpath("new").iterdir() if path.name.startswith(".")]


def test_folder_of_a_crawl_without_warc(tmp_path: Path) -> None:
    store = SqliteStore.create(tmp_path / "crawl")
    store.acquire(range(SHARDS), "test")
    store.add_seeds([seed()])
    store.commit([outcome(top(store)[0])])
    export(store.reader(), "folder", tmp_path / "folder")
    store.close()
    [page] = (tmp_path / "folder" / "pages" / "0000").iterdir()
    assert (page.name, page.read_text()) == ("0000001-a.example-A-page.txt", "Some text.")


@pytest.mark.parametrize(
    "title", ["../../etc/passwd", "..", "a/b\\c", "CON", "x" * 5000, "\n\x00", "-rf", ".hidden", "鳥"]
)
def test_no_title_leads_out_of_the_folder(tmp_path: Path, title: str) -> None:
    store = SqliteStore.create(tmp_path / "crawl")
    store.acquire(range(SHARDS), "test")
    store.add_seeds([seed()])
    done = outcome(top(store)[0])
    assert done.page is not None
    done.page.title = title
    store.commit([done])
    export(store.reader(), "folder", tmp_path / "folder")
    store.close()
    [page] = (tmp_path / "folder" / "pages" / "0000").iterdir()
    assert page.name.startswith("0000001-a.example")
    assert len(page.name) < 120
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl", "folder"]


def test_bad_targets_are_refused(crawl: CrawlReader, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="jsonl, csv, folder"):
        export(crawl, "xlsx", tmp_path / "out")
    with pytest.raises(InputError, match="is a directory"):
        export(crawl, "csv", tmp_path)
    with pytest.raises(CrawlDirectoryError, match="cannot be used"):
        export(crawl, "csv", tmp_path / "nowhere" / "out.csv")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("kept")
    with pytest.raises(InputError, match="empty directory"):
        export(crawl, "folder", tmp_path / "full")
    assert (tmp_path / "full" / "mine").read_text() == "kept"


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_an_export_that_fails_leaves_nothing_behind(
    crawl: CrawlReader, tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    target = tmp_path / "out" / "export"
    if format != "folder":
        target.write_text("the last export")
    pages = crawl.stored_pages()

    def break_off(**_: bool) -> Iterator[object]:
        yield next(pages)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(crawl, "stored_pages", break_off)
    with pytest.raises(CrawlDirectoryError, match="no room is left"):
        export(crawl, format, target)
    left = [path.name for path in (tmp_path / "out").iterdir()]
    assert left == ([] if format == "folder" else ["export"])
    assert format == "folder" or target.read_text() == "the last export"


def row(**fields: object) -> FetchedRow:
    made = FetchedRow(1, "u", "u", 200, "t", 0.5, True, "title", 1, "p", -2.5, "h", "en", "f", "")
    for name, value in fields.items():
        setattr(made, name, value)
    return made


@given(title=st.text(st.characters()), score=st.floats(allow_nan=False, allow_infinity=False))
def test_any_title_survives_csv_and_is_no_formula(title: str, score: float) -> None:
    stream = io.BytesIO()
    write_csv([row(title=title, link_score=score)], stream)
    [_, cells] = csv.reader(io.StringIO(stream.getvalue().decode(), newline=""))
    assert float(cells[COLUMNS.index("link_score")]) == score
    cell = cells[COLUMNS.index("title")]
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    plain = title.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
    assert cell in (plain, f"'{plain}")


@given(title=st.text(st.characters(blacklist_categories=["Cs"])))
def test_any_title_survives_jsonl(title: str) -> None:
    stream = io.BytesIO()
    write_jsonl([row(title=title), row()], stream)
    assert json.loads(stream.getvalue().split(b"\n")[0])["title"] == title


def test_hostile_strings_of_others(lagotto_data: Path) -> None:
    payloads = json.loads((lagotto_data / "conformance" / "xss" / "xss_payloads.json").read_text())
    blns = (lagotto_data / "conformance" / "xss" / "blns.txt").read_text(errors="surrogateescape").split("\n")
    strings = [str(payload) for payload in payloads] + blns
    stream = io.BytesIO()
    write_csv((row(title=string) for string in strings), stream)
    lines = list(csv.reader(io.StringIO(stream.getvalue().decode(), newline="")))
    assert len(lines) == len(strings) + 1
    assert all(len(line) == len(COLUMNS) for line in lines)
    assert not [line[7] for line in lines if line[7].startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_numbers_are_not_text() -> None:
    assert [safe_cell(value) for value in (-1, 1.5, False)] == [-1, 1.5, "false"]


FLAT = """
import io, resource, sys
from pathlib import Path
from lagotto.records import Outcome, Page
from lagotto.store import SqliteStore, export
from lagotto.testing.stores import NOW, seed
from lagotto.urls import SHARDS

directory = Path(sys.argv[1])
store = SqliteStore.create(directory / "crawl")
store.acquire(range(SHARDS), "test")
text = "".join(chr(97 + n * n % 26) for n in range(100_000))
for part in range(30):
    seeds = [seed(f"http://a.example/{part}/{n}") for n in range(20)]
    store.add_seeds(seeds)
    store.commit([Outcome(one, NOW, 200, page=Page(one.url, text=text + one.url)) for one in seeds])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
export(store.reader(), "jsonl", directory / "out.jsonl", with_text=True)
size = (directory / "out.jsonl").stat().st_size
grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
assert size > 60_000_000, size
assert grown < size / 3, grown
store.close()
print("flat")
"""


def test_an_export_is_streamed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FLAT, str(tmp_path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.stdout == "flat\n", done.stderr

"""Exports: every row, in order, safe to open, and there only when they are whole."""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import CrawlDirectoryError, DiskFull, InputError, UnknownName
from lagotto.base.records import FetchedRow
from lagotto.harvest.export import FORMATS, export, export_rows
from lagotto.harvest.export.cdxj import write_cdxj
from lagotto.harvest.export.formats import TABLE_WRITERS, Format, format_for
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.pages import COLUMNS, row_values
from lagotto.harvest.export.tables import Table, safe_cell, write_csv, write_jsonl
from lagotto.lab.checks.store_calls import outcome, seed
from lagotto.store.sqlite.reader import SqliteReader
from tests.conftest import PROJECT
from tests.store.blocking import Blocking
from tests.store.crawls import BIRDS, BODIES, a_crawl

DESIGN = (
    "seq url final_url status fetched_at relevance relevant title depth parent link_score host language "
    "fingerprint reason relevance_at_fetch description author published modified canonical license opt_outs"
)


CONTROLS = {chr(code) for code in (*range(32), 127)} - set("\t\n\r")


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[SqliteReader]:
    a_crawl(tmp_path / "crawl")
    with SqliteReader.open(tmp_path / "crawl") as reader:
        yield reader


def test_columns() -> None:
    assert list(COLUMNS) == DESIGN.split()


def test_jsonl(crawl: SqliteReader, tmp_path: Path) -> None:
    assert export(crawl, "jsonl", tmp_path / "out.jsonl") == 5
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [list(row) for row in rows] == [DESIGN.split()] * 5
    assert [row["seq"] for row in rows] == [1, 2, 3, 4, 5]
    assert rows[2]["title"] == "Der Fischreiher, naïve 鳥"
    assert (rows[3]["relevant"], rows[3]["relevance"]) == (None, None)


def test_text_and_relevant_only(crawl: SqliteReader, tmp_path: Path) -> None:
    count = export(crawl, "jsonl", tmp_path / "out.jsonl", with_text=True, relevant_only=True)
    [row] = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert (count, row["url"], row["text"]) == (1, BIRDS, "A heron.")


def test_csv(crawl: SqliteReader, tmp_path: Path) -> None:
    assert export(crawl, "csv", tmp_path / "out.csv", with_text=True) == 5
    with (tmp_path / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == [*DESIGN.split(), "text"]
    assert rows[1]["title"] == "'=HYPERLINK(1)"
    assert (rows[2]["relevant"], rows[3]["relevant"], rows[3]["relevance"]) == ("true", "", "")
    assert rows[0]["text"] == "Some links."


def test_stream(crawl: SqliteReader) -> None:
    stream = io.BytesIO()
    assert export_rows(crawl, "csv", stream) == 5
    assert stream.getvalue().startswith(b"seq,url,")
    with pytest.raises(InputError, match="needs a path"):
        export_rows(crawl, "folder", stream)


def test_folder(crawl: SqliteReader, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert export(crawl, "folder", folder, with_text=True) == 3
    with (folder / "index.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 5
    files = {row["url"]: row["file"] for row in rows if row["file"]}
    assert files[BIRDS] == "pages/0000/0000003-birds.example-Der-Fischreiher-na-ve.html"
    assert {url: (folder / file).read_bytes() for url, file in files.items()} == {
        url: body for url, body in BODIES.items() if url in files
    }
    assert len(files) == 3
    assert (folder / files[BIRDS]).with_suffix(".txt").read_text() == "A heron."
    assert not [path.name for path in tmp_path.joinpath("new").iterdir() if path.name.startswith(".")]


def test_folder_of_a_crawl_without_warc(tmp_path: Path) -> None:
    store = Blocking.create(tmp_path / "crawl")
    store.hold_all()
    store.add_seeds([seed()])
    store.commit([outcome(store.top()[0])])
    export(store.reader(), "folder", tmp_path / "folder")
    store.close()
    [page] = (tmp_path / "folder" / "pages" / "0000").iterdir()
    assert (page.name, page.read_text()) == ("0000001-a.example-A-page.txt", "Some text.")


@pytest.mark.parametrize(
    "title", ["../../etc/passwd", "..", "a/b\\c", "CON", "x" * 5000, "\n\x00", "-rf", ".hidden", "鳥"]
)
def test_no_title_leads_out_of_the_folder(tmp_path: Path, title: str) -> None:
    store = Blocking.create(tmp_path / "crawl")
    store.hold_all()
    store.add_seeds([seed()])
    done = outcome(store.top()[0])
    assert done.page is not None
    done.page.title = title
    store.commit([done])
    export(store.reader(), "folder", tmp_path / "folder")
    store.close()
    [page] = (tmp_path / "folder" / "pages" / "0000").iterdir()
    assert page.name.startswith("0000001-a.example")
    assert len(page.name) < 120
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl", "folder"]


def test_bad_targets_are_refused(crawl: SqliteReader, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="jsonl, csv, parquet, folder"):
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


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_ending_of_the_path_says_which_format(reader: SqliteReader, tmp_path: Path, name: str) -> None:
    format = FORMATS[name]
    by_name = export(reader, name, tmp_path / f"named{format.suffix}")
    assert by_name > 0
    for ending in format.endings:
        path = tmp_path / f"by-ending.{ending}"
        meant = format_for("", path)[0]
        assert format_for(name, path)[0] == name
        assert meant == name or (format.table is not None and FORMATS[meant].table is not None)
    if format.file or name in TABLE_WRITERS:
        path = tmp_path / f"again{format.suffix}"
        assert export(reader, "", path) == by_name
        if name not in ("parquet", "wacz"):  # They tell when and in which order they were written.
            assert path.read_bytes() == (tmp_path / f"named{format.suffix}").read_bytes()


def test_an_ending_that_is_not_the_formats_is_refused(crawl: SqliteReader, tmp_path: Path) -> None:
    for name, ending in (("csv", "parquet"), ("folder", "wacz"), ("edges", "graphml"), ("jsonl", "md")):
        with pytest.raises(InputError, match=r"ends like the format .*, but --format says"):
            export(crawl, name, tmp_path / f"out.{ending}")
    assert not list(tmp_path.glob("*out*"))
    assert export(crawl, "csv", tmp_path / "out.txt") == 5


def test_other_names_of_formats(crawl: SqliteReader, tmp_path: Path) -> None:
    assert export(crawl, "md", tmp_path / "notes") == len(list((tmp_path / "notes").rglob("*.md")))
    assert export(crawl, "ndjson", tmp_path / "out.json") == 5
    names = [each for name, format in FORMATS.items() for each in (name, *format.aliases)]
    assert len(names) == len(set(names))


def test_a_format_is_declared_whole() -> None:
    for format in FORMATS.values():
        assert format.label
        assert format.about
        assert format.takes <= set(ExportOptions.__struct_fields__)
        assert (format.folder is None) == (not format.holds)
    with pytest.raises(TypeError, match="needs one of table, file and folder"):
        Format(label="Nothing", about="writes nothing", ending="none", takes=frozenset())
    with pytest.raises(TypeError, match="needs an ending"):
        Format(label="Nameless", about="ends with nothing", file=write_cdxj, takes=frozenset())
    assert {name for format in FORMATS.values() for name in format.takes} == USERS_OPTIONS


USERS_OPTIONS = set(ExportOptions.__struct_fields__) - {"topic"}


def test_every_option_is_known_to_all() -> None:
    """Command line and API take what an export can do: an option that one of them lacks fails here."""
    from lagotto.cli.deliver import export as command
    from lagotto.serve.web.exports import ExportRequest

    own = {"directory", "format_", "output", "force"}
    assert {parameter.name for parameter in command.params} - own == USERS_OPTIONS
    assert set(ExportRequest.__struct_fields__) - {"format"} == USERS_OPTIONS


KILLED = """
import sys
from pathlib import Path
from lagotto.harvest.export.appearing import appearing, appearing_folder

path = Path(sys.argv[1])
with appearing_folder(path, holds=("pages",)) if sys.argv[2] == "folder" else appearing(path):
    print("writing", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("name", ["folder", "csv"])
def test_what_a_killed_export_left_goes_with_the_next_one(
    crawl: SqliteReader, tmp_path: Path, name: str
) -> None:
    target = tmp_path / "out" / "export"
    target.parent.mkdir()
    command = [sys.executable, "-c", KILLED, str(target), name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        export(crawl, name, target)
        assert len(list(target.parent.iterdir())) == 2, "one that still writes is spared"
        process.kill()
    export(crawl, name, target, force=True)
    assert [path.name for path in target.parent.iterdir()] == ["export"]


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """No file can grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("format", sorted(FORMATS))
def test_a_full_disk_leaves_nothing_behind(
    crawl: SqliteReader, tmp_path: Path, format: str, there: bool
) -> None:
    (tmp_path / "out").mkdir()
    target = tmp_path / "out" / "export"
    if there:
        export(crawl, format, target)
    before = contents(tmp_path / "out")
    with full_disk(100), pytest.raises(DiskFull, match="no room is left"):
        export(crawl, format, target, force=True)
    assert contents(tmp_path / "out") == before


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_what_exists_is_replaced_only_by_force(crawl: SqliteReader, tmp_path: Path, format: str) -> None:
    target = tmp_path / "export"
    count = export(crawl, format, target)
    before = contents(tmp_path)
    with pytest.raises(InputError, match=r"exists.* --force"):
        export(crawl, format, target)
    assert contents(tmp_path) == before
    assert export(crawl, format, target, force=True) == count
    assert contents(tmp_path).keys() == before.keys()


def test_force_spares_what_is_no_export(crawl: SqliteReader, tmp_path: Path) -> None:
    export(crawl, "folder", tmp_path / "mine")
    (tmp_path / "mine" / "notes.txt").write_text("kept")
    with pytest.raises(InputError, match=r"holds notes.txt, which is no part of an export"):
        export(crawl, "folder", tmp_path / "mine", force=True)
    assert (tmp_path / "mine" / "notes.txt").read_text() == "kept"
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not an ordinary file"):
        export(crawl, "csv", tmp_path / "pipe", force=True)


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_an_empty_crawl_gives_an_export(empty: SqliteReader, tmp_path: Path, format: str) -> None:
    assert export(empty, format, tmp_path / "export") == 0
    assert (tmp_path / "export").exists()


@pytest.mark.parametrize(
    ("format", "options", "sentence"),
    [
        ("csv", {"chunks": 10}, "the format csv takes no --chunks; leave it out"),
        ("cdxj", {"html": True}, "the format cdxj takes no --html"),
        ("failures", {"relevant_only": True}, "takes no --relevant-only"),
        ("jsonl", {"chunks": 10, "html": True}, "chunks have the text of the page only"),
    ],
)
def test_options_that_a_format_does_not_take(
    crawl: SqliteReader, format: str, options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        export_rows(crawl, format, io.BytesIO(), **options)


def row(**fields: object) -> FetchedRow:
    made = FetchedRow(1, "u", "u", 200, "t", 0.5, True, "title", 1, "p", -2.5, "h", "en", "f", "")
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def table(*rows: FetchedRow) -> Table:
    return Table(COLUMNS, map(row_values, rows))


@given(title=st.text(st.characters()), score=st.floats(allow_nan=False, allow_infinity=False))
def test_any_title_survives_csv_and_is_no_formula(title: str, score: float) -> None:
    stream = io.BytesIO()
    write_csv(table(row(title=title, link_score=score)), stream)
    [_, cells] = csv.reader(io.StringIO(stream.getvalue().decode(), newline=""))
    assert float(cells[list(COLUMNS).index("link_score")]) == score
    cell = cells[list(COLUMNS).index("title")]
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    plain = title.encode("utf-8", "replace").decode()
    plain = "".join("\ufffd" if character in CONTROLS else character for character in plain)
    assert cell in (plain, f"'{plain}")


@given(title=st.text(st.characters(blacklist_categories=["Cs"])))
def test_any_title_survives_jsonl(title: str) -> None:
    stream = io.BytesIO()
    write_jsonl(table(row(title=title), row()), stream)
    assert json.loads(stream.getvalue().split(b"\n")[0])["title"] == title


def test_hostile_strings_of_others(lagotto_data: Path) -> None:
    payloads = json.loads((lagotto_data / "conformance" / "xss" / "xss_payloads.json").read_text())
    blns = (lagotto_data / "conformance" / "xss" / "blns.txt").read_text(errors="surrogateescape").split("\n")
    strings = [str(payload) for payload in payloads] + blns
    stream = io.BytesIO()
    write_csv(table(*(row(title=string) for string in strings)), stream)
    lines = list(csv.reader(io.StringIO(stream.getvalue().decode(), newline="")))
    assert len(lines) == len(strings) + 1
    assert all(len(line) == len(COLUMNS) for line in lines)
    title = list(COLUMNS).index("title")
    assert not [line[title] for line in lines if line[title].startswith(("=", "+", "-", "@", "\t", "\r"))]


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\ufeff", "\u2060", "\u00ad", "\u202e", "\u00a0", " ", "\u0301", "\x01"]
)
def test_unseen_characters_do_not_hide_a_formula(unseen: str) -> None:
    for formula in ("=1+1", "@SUM(A1)", "\uff1d1"):
        shown = unseen.replace("\x01", "\ufffd")
        assert safe_cell(unseen + formula) == f"'{shown}{formula}"
    assert str(safe_cell(f"{unseen}1=1")).endswith("1=1")


def test_numbers_are_not_text() -> None:
    assert [safe_cell(value) for value in (-1, 1.5, False)] == [-1, 1.5, "false"]


FLAT = """
import resource, sys
from pathlib import Path
from lagotto.base.records import Fetched, Judgement, Outcome, Page
from lagotto.harvest.export import export
from lagotto.store import WarcWriter
from tests.store.blocking import Blocking
from lagotto.lab.checks.store_calls import NOW, seed

directory, format, options = Path(sys.argv[1]), sys.argv[2], eval(sys.argv[3])
store = Blocking.create(directory / "crawl")
warc = WarcWriter(directory / "crawl" / "warc", {})
store.hold_all()
text = "".join(chr(97 + n * n % 26) for n in range(100_000))
for part in range(30):
    seeds = [seed(f"http://a.example/{part}/{n}") for n in range(20)]
    store.add_seeds(seeds)
    for n, one in enumerate(seeds):
        body = (text + one.url).encode()
        place = warc.append(Fetched(one.url, 200, [], body, body, fetched_at=NOW))
        page = Page(one.url, text=text + one.url)
        judgement = Judgement(n / 20, True)
        store.commit([Outcome(one, NOW, 200, page=page, judgement=judgement, warc=place,
                              content_type="text/html")])
small = directory / "small"
export(store.reader(), format, small, **options, top=150)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
export(store.reader(), format, directory / "out", **options)
grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
assert grown < 30_000_000, grown
store.close()
warc.close()
print("flat")
"""
"""Exports a quarter of 60 MB of text, then all of it: that must not take much more memory."""


@pytest.mark.parametrize(
    ("format", "options"),
    [
        ("jsonl", {"with_text": True}),
        ("jsonl", {"html": True, "markdown": True, "sort": "relevance"}),
        ("jsonl", {"chunks": 100}),
        ("csv", {"with_text": True}),
        ("parquet", {"with_text": True}),
        ("wacz", {"with_text": True}),
        ("markdown", {}),
    ],
)
def test_an_export_is_streamed(tmp_path: Path, format: str, options: dict[str, object]) -> None:
    command = [sys.executable, "-c", FLAT, str(tmp_path), format, repr(options)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.stdout == "flat\n", done.stderr

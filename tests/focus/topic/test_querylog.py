from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.focus.topic.query_log import MAX_LINE, Layout, LineReader, Query, read_query_log


def log(tmp_path: Path, content: str | bytes, name: str = "log.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_one_query_a_line(tmp_path: Path) -> None:
    found = read_query_log(log(tmp_path, "\ufeffsolar power\r\n\n  heat pumps \nlast"))
    assert found.texts == ["solar power", "heat pumps", "last"]
    assert found.malformed == 0


def test_columns_by_their_header(tmp_path: Path) -> None:
    rows = ["AnonID\tQuery\tQueryTime\tItemRank", "142\trents\t2006-03-01 07:17:12\t", "142\t\t2006-03-02\t"]
    content = "\n".join(rows)
    found = read_query_log(log(tmp_path, content, "log.tsv"))
    assert found.queries == [Query("rents", 1141197432.0)]
    assert found.malformed == 1


@pytest.mark.parametrize(
    "line",
    [
        "2014-04-01T10:00:00+00:00\tlok sabha",
        "lok sabha\t1396346400",
        "77\tlok sabha\t1396346400000",
        "3\tlok sabha",
    ],
)
def test_columns_without_a_header(line: str) -> None:
    (query,) = LineReader().queries([line])
    assert query.text == "lok sabha"
    assert query.asked_at in (1396346400.0, None)


def test_a_query_that_is_a_year_is_no_time() -> None:
    queries = list(LineReader().queries(["2014-04-01\tlok sabha", "2014-04-02\t2014"]))
    assert queries[1].text == "2014"


def test_json_objects(tmp_path: Path) -> None:
    lines = [
        '{"query": "solar power", "time": 1396346400}',
        '{"Q": "heat pumps", "timestamp": "2014-04-01T12:00:00+02:00"}',
        '"just text"',
        '{"query": 7}',
        '{"other": "x"}',
        "{broken",
        "[" * 5000,
    ]
    found = read_query_log(log(tmp_path, "\n".join(lines)))
    assert found.queries == [
        Query("solar power", 1396346400.0),
        Query("heat pumps", 1396346400.0),
        Query("just text"),
    ]
    assert found.malformed == 4


def test_malformed_lines_are_counted_not_fatal(tmp_path: Path) -> None:
    content = b"good\n" + b"x" * (MAX_LINE + 1) + b"\nnul\x00byte\n\xff\xfebad utf-8 but text\n"
    found = read_query_log(log(tmp_path, content))
    assert len(found.texts) == 2
    assert found.malformed == 2


def test_the_format_can_be_told(tmp_path: Path) -> None:
    found = read_query_log(log(tmp_path, "{not json\n"), "plain")
    assert found.texts == ["{not json"]


def test_a_log_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the query log"):
        read_query_log(tmp_path / "none")


@given(st.lists(st.text()), st.sampled_from(["auto", "plain", "tsv", "jsonl"]))
def test_no_line_breaks_the_reader(lines: list[str], format: str) -> None:
    reader = LineReader(Layout(format))  # type: ignore[arg-type]
    queries = list(reader.queries(lines))
    assert len(queries) + reader.malformed <= len(lines)
    assert all(query.text.strip() for query in queries)

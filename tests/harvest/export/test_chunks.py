"""Chunks for retrieval."""

from __future__ import annotations

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.urls import checksum
from lagotto.harvest.export import export_rows
from lagotto.harvest.export.pages import chunks_of
from lagotto.store.sqlite.reader import SqliteReader
from tests.harvest.export.shelf import URLS


def test_headings_and_blocks_come_first() -> None:
    text = "Before.\n\n# One\n\n## Inner\n\na b c\n\nd e f\n\n# Two\n\n```\nx\n\n# y\n```\n\n" + "w " * 20
    found = [(chunk.heading, chunk.text, chunk.words) for chunk in chunks_of(text, 8)]
    assert found == [
        ("", "Before.", 1),
        ("Inner", "# One\n\n## Inner\n\na b c", 7),
        ("Inner", "d e f", 3),
        ("Two", "# Two\n\n```\nx\n\n# y\n```", 7),
        ("Two", " ".join("w" * 8), 8),
        ("Two", " ".join("w" * 8), 8),
        ("Two", " ".join("w" * 4), 4),
    ]


@given(st.text(st.sampled_from("ab#` \n"), max_size=200), st.integers(1, 9))
def test_no_word_is_lost_and_no_chunk_is_too_long(text: str, most: int) -> None:
    found = list(chunks_of(text, most))
    assert " ".join(chunk.text for chunk in found).split() == text.split()
    assert all(0 < chunk.words == len(chunk.text.split()) <= most for chunk in found)


def test_chunks_of_a_crawl(reader: SqliteReader) -> None:
    stream = io.BytesIO()
    count = export_rows(reader, "jsonl", stream, chunks=4, relevant_only=True)
    rows = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert count == len(rows) == 6
    assert [row["text"] for row in rows[:2]] == ["# About 2", "Some **text**, link."]
    first = f"{checksum(URLS[1]) & (1 << 64) - 1:016x}"
    assert [row["id"] for row in rows[:2]] == [f"{first}-0", f"{first}-1"]
    assert {row["url"] for row in rows} == set(URLS[1:])
    assert rows[1]["heading"] == "About 2"
    linked = io.BytesIO()
    export_rows(reader, "jsonl", linked, chunks=40, markdown=True, top=1)
    assert "[link](http://a.example/x)" in linked.getvalue().decode()

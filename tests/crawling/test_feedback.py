"""Users' marks: one line each, taken once, whole or not at all."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lagotto.crawling.feedback import FILE, Mark, MarkFile, add_mark, marks_in


def test_marks_are_taken_once_and_in_order(tmp_path: Path) -> None:
    file = MarkFile(tmp_path)
    assert list(file.new()) == []
    add_mark(tmp_path, Mark("http://a.example/", True))
    add_mark(tmp_path, Mark("http://b.example/", False))
    assert [mark.url for mark in file.new()] == ["http://a.example/", "http://b.example/"]
    assert list(file.new()) == []
    add_mark(tmp_path, Mark("http://c.example/", True))
    assert [mark.url for mark in file.new()] == ["http://c.example/"]


def test_marks_taken_before_a_restart_are_not_taken_again(tmp_path: Path) -> None:
    for name in "abc":
        add_mark(tmp_path, Mark(f"http://{name}.example/", True))
    assert [mark.url for mark in MarkFile(tmp_path, taken=2).new()] == ["http://c.example/"]


def test_a_line_that_is_not_whole_waits(tmp_path: Path) -> None:
    add_mark(tmp_path, Mark("http://a.example/", True))
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"url": "http://b.exam')
    follower = MarkFile(tmp_path)
    assert len(list(follower.new())) == 1
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'ple/", "on": false}\n')
    assert [mark.url for mark in follower.new()] == ["http://b.example/"]


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_nonsense_is_passed_over(lines: list[bytes]) -> None:

    with tempfile.TemporaryDirectory() as name:
        (Path(name) / FILE).write_bytes(b"\n".join(lines) + b"\n")
        add_mark(Path(name), Mark("http://a.example/", True))
        assert marks_in(Path(name))[-1].url == "http://a.example/"

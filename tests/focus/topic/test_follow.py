from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.focus.topic.query_log import MAX_LINE, LogFollower, Place


def texts(follower: LogFollower) -> list[str]:
    return [query.text for query in follower.read()]


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "queries.log"
    path.write_bytes(b"one\ntwo\n")
    return path


def test_reads_only_what_is_new(path: Path) -> None:
    follower = LogFollower(path)
    assert texts(follower) == ["one", "two"]
    assert texts(follower) == []
    append(path, b"three\n")
    assert texts(follower) == ["three"]


def test_half_a_line_waits_for_its_other_half(path: Path) -> None:
    follower = LogFollower(path)
    append(path, "thr\u00e9".encode()[:-1])
    assert texts(follower) == ["one", "two"]
    assert texts(follower) == []
    append(path, "\u00e9".encode()[1:] + b"e\nfour\n")
    assert texts(follower) == ["thr\u00e9e", "four"]


def test_the_last_line_of_a_log_at_rest_needs_no_newline(path: Path) -> None:
    append(path, b"three")
    os.utime(path, (1, 1))
    follower = LogFollower(path)
    assert texts(follower) == ["one", "two", "three"]
    append(path, b"\nfour\n")
    assert texts(follower) == ["four"]


def test_a_truncated_log_is_read_from_its_beginning(path: Path) -> None:
    follower = LogFollower(path)
    texts(follower)
    path.write_bytes(b"new\n")
    assert texts(follower) == ["new"]


def test_a_log_rewritten_in_place_is_noticed_even_when_it_is_longer(path: Path) -> None:
    follower = LogFollower(path)
    texts(follower)
    path.write_bytes(b"fresh one\nfresh two\n")
    assert texts(follower) == ["fresh one", "fresh two"]


def test_a_rotated_log_loses_nothing(path: Path) -> None:
    follower = LogFollower(path)
    texts(follower)
    append(path, b"written just before the rotation\n")
    path.rename(path.with_suffix(".1"))
    assert texts(follower) == ["written just before the rotation"]
    path.write_bytes(b"after\n")
    assert texts(follower) == ["after"]


def test_a_header_that_comes_again_after_rotation_is_no_query(path: Path) -> None:
    path.write_bytes(b"time\tquery\n2014-04-01\tlok sabha\n")
    follower = LogFollower(path)
    assert texts(follower) == ["lok sabha"]
    path.rename(path.with_suffix(".1"))
    path.write_bytes(b"query\ttime\npolls\t2014-04-02\n")
    assert texts(follower) == ["polls"]


def test_goes_on_after_a_restart(path: Path) -> None:
    path.write_bytes(b"time\tquery\n2014-04-01\tlok sabha\n")
    follower = LogFollower(path)
    texts(follower)
    saved = msgspec.msgpack.encode(follower.place)
    append(path, b"2014-04-02\tpolls\n")
    again = LogFollower(path, place=msgspec.msgpack.decode(saved, type=Place))
    assert [(query.text, query.asked_at) for query in again.read()] == [("polls", 1396396800.0)]


def test_after_a_restart_a_replaced_log_is_read_from_its_beginning(path: Path) -> None:
    follower = LogFollower(path)
    texts(follower)
    path.unlink()
    path.write_bytes(b"quite another log\n")  # often with the very inode of the old one
    assert texts(LogFollower(path, place=follower.place)) == ["quite another log"]


def test_a_log_may_come_later(tmp_path: Path) -> None:
    follower = LogFollower(tmp_path / "later.log")
    assert texts(follower) == []
    append(tmp_path / "later.log", b"here\n")
    assert texts(follower) == ["here"]


def test_an_endless_line_is_one_malformed_line(path: Path) -> None:
    follower = LogFollower(path)
    append(path, b"x" * (10 * MAX_LINE))
    assert texts(follower) == ["one", "two"]
    append(path, b"x" * (10 * MAX_LINE))
    assert texts(follower) == []
    append(path, b"end\nthree\n")
    assert texts(follower) == ["three"]
    assert follower.place.malformed == 1


def test_what_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the query log"):
        LogFollower(tmp_path).read()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.text("ab ", min_size=1, max_size=8), max_size=4), max_size=6), st.data())
def test_however_the_log_is_written_every_query_is_read_once(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[str]], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("log") / "q.log"
    path.touch()
    follower = LogFollower(path, "plain")
    written = "".join(f"{line}\n" for batch in batches for line in batch).encode()
    got: list[str] = []
    done = 0
    while done < len(written):
        size = data.draw(st.integers(1, len(written) - done))
        append(path, written[done : done + size])
        done += size
        got += texts(follower)
    assert got == [line.strip() for batch in batches for line in batch if line.strip()]

from __future__ import annotations

import json

import pytest
from contest import Count, Order, read_result


def order(pages: int, warm: int) -> Order:
    return Order(proxy="", seeds=[], words="", pages=pages, warm=warm)


def test_pages_before_the_end_of_the_warm_up_are_not_measured() -> None:
    count = Count(order(pages=5, warm=2))
    assert [count.answer(status) for status in (200, 404, 200, 200, 404, 200, 200)] == [False] * 6 + [True]
    assert count.result is not None
    assert (count.result.pages, count.result.answers) == (3, 4)


def test_a_crawl_that_finds_no_more_pages_is_measured_to_its_end() -> None:
    count = Count(order(pages=100, warm=1))
    for _ in range(4):
        count.answer(200)
    count.finish()
    assert count.result is not None
    assert count.result.pages == 3


def test_cpu_of_the_measured_part_counts() -> None:
    count = Count(order(pages=2, warm=1))
    count.answer(200)
    sum(number * number for number in range(2_000_000))
    count.answer(200)
    assert count.result is not None
    assert 0 < count.result.cpu.own <= count.result.wall + 0.05


def test_what_is_told_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    count = Count(order(pages=2, warm=1))
    count.answer(200)
    count.answer(200)
    count.tell()
    assert read_result(capsys.readouterr().out) == count.result


def test_a_crawl_that_never_got_warm_says_so() -> None:
    count = Count(order(pages=5, warm=3))
    count.answer(200)
    with pytest.raises(SystemExit, match="after 1 pages"):
        count.tell()


def test_an_order_survives_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    given = order(pages=5, warm=3)
    given.settings["strategy"] = "bfs"
    assert json.loads(given.as_argument())["pages"] == 5
    monkeypatch.setattr("sys.argv", ["script", given.as_argument()])
    assert Order.given() == given

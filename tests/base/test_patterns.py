"""Patterns that would take for ever are given up in time, in the main thread and in a server's threads."""

from __future__ import annotations

import re
import signal
import threading
import time

import pytest

from lagotto.base.batch import Patterns
from lagotto.base.errors import InputError
from lagotto.base.patterns import AT_ONCE, admitted_apart
from lagotto.base.reasons import Refused
from lagotto.crawling.frontier.scope import Scope

ENDLESS = "^http://(([a-z0-9.:/])+)+$!"
URL = "http://example.org/a/long/enough/path/to/take/for/ever"


def test_a_crawl_leaves_out_what_a_pattern_takes_too_long_for() -> None:
    assert Scope(exclude=[ENDLESS]).refuses(URL, 1) is Refused.EXCLUDE
    assert Scope(include=[ENDLESS]).refuses(URL, 1) is Refused.INCLUDE
    assert Scope(exclude=[ENDLESS]).refuses("http://a.b/", 1) is None
    assert not Patterns(exclude=[ENDLESS]).test()(URL)


def test_a_timer_that_was_running_runs_on() -> None:
    before = signal.setitimer(signal.ITIMER_REAL, 200)
    try:
        assert Patterns(exclude=["/no/"]).test()(URL)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 190
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)


def test_another_process_finds_the_same() -> None:
    links = [(n, f"http://example.org/{'owl' if n % 3 else 'news'}/{n}") for n in range(2 * AT_ONCE + 7)]
    for patterns in (Patterns(["owl"], [r"7$"]), Patterns([], [r"\d\d"]), Patterns(["x"], [])):
        admitted = patterns.test()
        found = admitted_apart(patterns.include, patterns.exclude, links)
        assert list(found) == [(link, admitted(link[1])) for link in links]
    with pytest.raises(re.error):
        next(admitted_apart(["("], [], links))


def test_other_threads_go_on_while_a_pattern_is_tried() -> None:
    said: list[str] = []

    def ask() -> None:
        try:
            list(admitted_apart([], [ENDLESS], [(1, URL)]))
        except InputError as error:
            said.append(str(error))

    thread = threading.Thread(target=ask)
    began = time.monotonic()
    thread.start()
    longest, last = 0.0, began
    while thread.is_alive():
        time.sleep(0)
        now = time.monotonic()
        longest, last = max(longest, now - last), now
    assert "write them otherwise" in said[0]
    assert longest < (last - began) / 2, "the interpreter was not held"

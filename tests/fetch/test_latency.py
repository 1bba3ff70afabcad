"""Estimates of when a request reached its server."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lagotto.fetch.timing import Latencies


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0, 2)), min_size=1, max_size=30))
def test_the_estimate_lies_between_write_and_answer(requests: list[tuple[float, float]]) -> None:
    latencies = Latencies()
    for number, (held_up, answering) in enumerate(requests):
        sent_at = 100.0 * (number + 1)
        reached = latencies.reached("h", sent_at, sent_at + held_up + answering)
        assert sent_at - 1e-9 <= reached <= sent_at + held_up + answering + 1e-9


@given(st.lists(st.floats(0, 2), min_size=1, max_size=30), st.floats(0.001, 2))
def test_a_host_that_answers_evenly_is_never_asked_too_early(delays: list[float], answering: float) -> None:
    latencies = Latencies()
    latencies.reached("h", 1.0, 1.0 + answering)
    for number, held_up in enumerate(delays):
        sent_at = 100.0 * (number + 1)
        assert latencies.reached("h", sent_at, sent_at + held_up + answering) >= sent_at + held_up - 1e-6


def test_hosts_are_forgotten_when_there_are_too_many() -> None:
    latencies = Latencies(max_hosts=2)
    for host in ("a", "b", "c"):
        latencies.reached(host, 1.0, 1.5)
    assert latencies.reached("a", 2.0, 2.75) == 2.75
    assert latencies.reached("c", 2.0, 2.75) == 2.25

"""Turns: delays of hosts and of the addresses behind them."""

from __future__ import annotations

from math import inf

from lagotto.crawling.frontier.turns import LOOK_AGAIN, MARGIN, Turns


def test_a_host_in_use_is_not_ready_and_its_delay_counts_from_the_request() -> None:
    turns = Turns()
    turns.start("a", 1.0, now=10.0)
    assert turns.ready_at("a", 10.0) == inf
    turns.done("a", sent_at=10.2, delay=1.0)
    assert turns.ready_at("a", 10.3) == 11.2 + MARGIN


def test_a_turn_that_sent_nothing_costs_nothing() -> None:
    turns = Turns()
    turns.start("a", 1.0, now=10.0)
    turns.done("a", sent_at=0.0, delay=1.0)
    assert turns.ready_at("a", 10.0) <= 10.0


def test_a_turn_that_sent_nothing_does_not_cut_an_earlier_wait_short() -> None:
    turns = Turns()
    turns.hold("a", 99.0)
    turns.start("a", 1.0, now=10.0)
    turns.done("a", sent_at=0.0, delay=1.0)
    assert turns.ready_at("a", 10.0) == 99.0


def test_hosts_on_one_address_share_its_delay() -> None:
    turns = Turns(ip_delay=2.0)
    assert not turns.knows_address("a")
    for host in ("a", "b"):
        turns.set_address(host, "127.0.0.9")
    turns.set_address("c", "127.0.0.8")
    turns.start("a", 0.0, now=10.0)
    assert turns.ready_at("b", 10.0) > 10.0
    assert turns.ready_at("b", 500.0) > 500.0, "a request under way may leave at any time"
    turns.done("a", sent_at=11.0, delay=0.0)
    assert turns.ready_at("b", 11.5) == 13.0 + MARGIN
    assert turns.ready_at("c", 11.5) == 0.0


def test_a_host_that_moves_to_another_address_frees_the_old_one() -> None:
    turns = Turns(ip_delay=2.0)
    for host in ("a", "b"):
        turns.set_address(host, "127.0.0.9")
    turns.start("a", 0.0, now=10.0)
    turns.set_address("a", "127.0.0.10")
    turns.done("a", sent_at=11.0, delay=0.0)
    assert turns.ready_at("b", 11.0) == 0.0
    assert turns.ready_at("a", 11.0) == 13.0 + MARGIN


def test_several_connections_still_keep_the_delay() -> None:
    turns = Turns(connections_per_host=2)
    turns.start("a", 1.0, now=10.0)
    assert turns.ready_at("a", 10.0) == 11.0 + MARGIN
    turns.start("a", 1.0, now=11.0)
    assert turns.ready_at("a", 11.0) == inf


def test_nobody_has_a_turn_before_the_quiet_is_over() -> None:
    turns = Turns(quiet_until=20.0)
    assert turns.ready_at("a", 10.0) == 20.0


def test_what_is_forgotten_is_only_what_no_longer_matters() -> None:
    turns = Turns()
    turns.hold("late", 5000.0)
    for number in range(5000):
        turns.start(f"h{number}", 1.0, now=float(number))
        turns.done(f"h{number}", sent_at=float(number), delay=1.0)
        turns.forget(f"h{number}")
    assert turns.ready_at("late", 10.0) == 5000.0
    assert turns.ready_at("h4999", 4999.0) == 5000.0 + MARGIN
    assert len(turns._host_ready) < 2500


def test_hosts_being_asked_are_named_when_they_can_be_asked_again_in_time() -> None:
    turns = Turns(connections_per_host=2)
    for host, delay, times in (("at-once", 0.0, 2), ("later", 5.0, 2), ("has-room", 0.0, 1)):
        for _ in range(times):
            turns.start(host, delay, now=10.0)
    assert list(turns.being_asked(until=0.0)) == ["at-once"]
    assert list(turns.being_asked(until=15.0)) == ["at-once", "later"]
    turns.done("later", sent_at=10.0, delay=5.0)
    assert list(turns.being_asked(until=15.0)) == ["at-once"]


def test_links_of_a_host_wait_a_little_longer_for_a_request_of_another_kind() -> None:
    turns = Turns()
    turns.hold("a", 10.0)
    turns.yield_next("a")
    assert (turns.free_at("a", 5.0), turns.ready_at("a", 5.0)) == (10.0, 10.0 + 2 * LOOK_AGAIN)
    turns.start("a", 0.0, now=10.1)
    turns.done("a", sent_at=0.0, delay=0.0)
    assert turns.ready_at("a", 10.2) == turns.free_at("a", 10.2)


def test_a_failing_host_is_asked_over_one_connection() -> None:
    turns = Turns(connections_per_host=4)
    turns.one_at_a_time("a", True)
    turns.start("a", 0.0, 0.0)
    assert turns.ready_at("a", 0.0) == inf
    turns.one_at_a_time("a", False)
    assert turns.ready_at("a", 0.0) == 0.0


def test_a_pause_is_for_all_hosts() -> None:
    turns = Turns()
    turns.pause(5.0)
    turns.pause(3.0)
    assert turns.ready_at("a", 0.0) == 5.0

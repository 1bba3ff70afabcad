"""Turns: delays of hosts and of the addresses behind them."""

from __future__ import annotations

from math import inf

from lagotto.frontier.turns import MARGIN, Turns


def test_a_host_in_use_is_not_ready_and_its_delay_counts_from_the_request() -> None:
    turns = Turns()
    turns.start("a", 1.0, now=10.0)
    assert turns.ready_at("a") == inf
    turns.done("a", sent_at=10.2, delay=1.0)
    assert turns.ready_at("a") == 11.2 + MARGIN


def test_a_turn_that_sent_nothing_costs_nothing() -> None:
    turns = Turns()
    turns.start("a", 1.0, now=10.0)
    turns.done("a", sent_at=0.0, delay=1.0)
    assert turns.ready_at("a") <= 10.0


def test_a_turn_that_sent_nothing_does_not_cut_an_earlier_wait_short() -> None:
    turns = Turns()
    turns.hold("a", 99.0)
    turns.start("a", 1.0, now=10.0)
    turns.done("a", sent_at=0.0, delay=1.0)
    assert turns.ready_at("a") == 99.0


def test_hosts_on_one_address_share_its_delay() -> None:
    turns = Turns(ip_delay=2.0)
    assert not turns.knows_address("a")
    for host in ("a", "b"):
        turns.set_address(host, "127.0.0.9")
    turns.set_address("c", "127.0.0.8")
    turns.start("a", 0.0, now=10.0)
    assert turns.ready_at("b") > 12.0
    turns.done("a", sent_at=11.0, delay=0.0)
    assert turns.ready_at("b") == 13.0 + MARGIN
    assert turns.ready_at("c") == 0.0


def test_several_connections_still_keep_the_delay() -> None:
    turns = Turns(connections_per_host=2)
    turns.start("a", 1.0, now=10.0)
    assert turns.ready_at("a") == 11.0 + MARGIN
    turns.start("a", 1.0, now=11.0)
    assert turns.ready_at("a") == inf


def test_what_is_forgotten_is_only_what_no_longer_matters() -> None:
    turns = Turns()
    turns.hold("a", 20.0)
    turns.forget("a", now=10.0)
    assert turns.ready_at("a") == 20.0
    turns.forget("a", now=21.0)
    assert turns.ready_at("a") == 0.0

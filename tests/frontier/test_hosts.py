"""Hosts: what they gave, whether they answer, whether their pages differ."""

from __future__ import annotations

from math import inf
from random import Random

from lagotto.frontier import Hosts


def test_a_host_gives_so_many_pages_and_no_more() -> None:
    hosts = Hosts(limit=2)
    assert hosts.pages_left("a") == 2
    for _ in range(2):
        hosts.fetched("a")
    assert hosts.pages_left("a") == 0
    assert hosts.full() == ["a"]
    assert Hosts().pages_left("a") == inf


def test_a_host_that_does_not_answer_is_left_alone_longer_each_time() -> None:
    hosts = Hosts(retry_wait=5.0)
    assert [hosts.failed("a", 0.0) for _ in range(4)] == [5.0, 20.0, 80.0, 320.0]
    assert max(hosts.failed("a", 0.0) for _ in range(50)) == 3600.0
    hosts.answered("a", 1.0)
    assert hosts.failed("a", 2.0) == 5.0


def test_a_host_that_never_answered_is_gone_after_enough_tries() -> None:
    hosts = Hosts(tries=2)
    hosts.failed("a", 1.0)
    hosts.failed("a", 2.0)
    assert not hosts.gone("a", 3.0), "nobody ever answered"
    hosts.answered("b", 3.0)
    hosts.failed("c", 4.0)
    assert hosts.gone("a", 5.0)
    assert not hosts.gone("c", 5.0), "it was tried once only"
    hosts.failed("c", 6.0)
    assert hosts.gone("c", 7.0)
    assert not hosts.gone("b", 7.0)


def test_a_host_that_used_to_answer_is_gone_when_others_still_do_or_after_an_hour() -> None:
    hosts = Hosts(tries=2)
    for host in ("a", "b"):
        hosts.answered(host, 1.0)
    hosts.failed("a", 2.0)
    hosts.failed("a", 3.0)
    assert not hosts.gone("a", 4.0), "the whole network may be down"
    assert hosts.gone("a", 4000.0)
    hosts.answered("b", 5.0)
    assert hosts.gone("a", 6.0)
    hosts.answered("a", 7.0)
    assert not hosts.gone("a", 8.0)


def test_a_host_that_must_be_left_alone_for_long_is_not_waited_for() -> None:
    hosts = Hosts()
    hosts.answered("b", 0.5)
    assert hosts.failed("a", 1.0, at_least=600.0) == 600.0
    assert hosts.gone("a", 2.0)


def noisy(look: int, random: Random) -> int:
    """A simhash that differs from a look in eight bits."""
    for bit in random.sample(range(64), 8):
        look ^= 1 << bit
    return look


def test_pages_made_up_for_any_address_are_found_out_among_others() -> None:
    random = Random(1)
    hosts = Hosts(alike_limit=20)
    look = random.getrandbits(64)
    for number in range(100):
        hosts.fetched("a", random.getrandbits(64) if number % 4 == 0 else noisy(look, random))
    assert hosts.all_alike("a", look)
    assert not hosts.all_alike("a", look ^ (2**32 - 1))
    assert not hosts.all_alike("b", look)


def test_pages_that_differ_are_never_all_alike() -> None:
    random = Random(2)
    hosts = Hosts(alike_limit=20)
    for _ in range(2000):
        hosts.fetched("a", random.getrandbits(64))
        assert not hosts.all_alike("a", random.getrandbits(64))

"""Hosts: what they gave, whether they answer, whether their pages differ."""

from __future__ import annotations

from math import inf

from lagotto.crawling.frontier import Hosts
from lagotto.crawling.frontier.hosts import EXCUSED, PROVEN


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
    now, waits = 0.0, []
    for _ in range(50):
        waits.append(hosts.failed("a", now, started=now))
        now += waits[-1]
    assert waits[:4] == [5.0, 20.0, 80.0, 320.0]
    assert max(waits) == 3600.0
    hosts.answered("a", now)
    assert hosts.failed("a", now, started=now) == 5.0


def test_all_requests_that_fail_in_one_outage_are_one_fault() -> None:
    hosts = Hosts(retry_wait=5.0)
    waits = [hosts.failed("a", now, started=started) for now, started in [(1, 0), (1.5, 0.5), (3, 0.9)]]
    assert waits == [5.0, 4.5, 3.0], "all of them end at the same time"
    assert hosts.faults("a") == 1
    hosts.answered("a", 3.5)
    assert hosts.failed("a", 4.0, started=0.95) == 2.0, "sent before the fault, though others were answered"
    assert hosts.failed("a", 6.5, started=6.0) == 5.0
    assert hosts.failed("a", 12.0, started=11.5) == 20.0


def test_waits_are_shown_with_their_reason_while_they_last() -> None:
    hosts = Hosts(retry_wait=5.0)
    hosts.failed("a", 10.0, started=9.0, why="connect refused")
    hosts.leave_alone("b", 12.0, "status 503")
    assert hosts.waits(11.0) == [("b", 1.0, "status 503"), ("a", 4.0, "connect refused")]
    assert hosts.waits(13.0) == [("a", 2.0, "connect refused")]
    assert hosts.waits(20.0) == []


def test_a_host_that_never_answered_is_gone_after_enough_tries() -> None:
    hosts = Hosts(tries=2, retry_wait=0.5)
    hosts.failed("a", 1.0, started=1.0)
    hosts.failed("a", 2.0, started=2.0)
    assert not hosts.gone("a", 3.0), "nobody ever answered"
    hosts.answered("b", 3.0)
    hosts.failed("c", 4.0, started=4.0)
    assert hosts.gone("a", 5.0)
    assert not hosts.gone("c", 5.0), "it was tried once only"
    hosts.failed("c", 6.0, started=6.0)
    assert hosts.gone("c", 7.0)
    assert not hosts.gone("b", 7.0)


def test_a_host_that_used_to_answer_is_gone_when_others_still_do_or_after_an_hour() -> None:
    hosts = Hosts(tries=2, retry_wait=0.5)
    for host in ("a", "b"):
        hosts.answered(host, 1.0)
    hosts.failed("a", 2.0, started=2.0)
    hosts.failed("a", 3.0, started=3.0)
    assert not hosts.gone("a", 4.0), "the whole network may be down"
    assert hosts.gone("a", 4000.0)
    hosts.answered("b", 5.0)
    assert hosts.gone("a", 6.0)
    hosts.answered("a", 7.0)
    assert not hosts.gone("a", 8.0)


def test_a_host_that_must_be_left_alone_for_long_is_not_waited_for() -> None:
    hosts = Hosts()
    hosts.answered("b", 0.5)
    assert hosts.failed("a", 1.0, started=1.0, at_least=600.0) == 600.0
    assert hosts.gone("a", 2.0)


def working_host() -> Hosts:
    hosts = Hosts(retry_wait=5.0)
    for _ in range(PROVEN):
        hosts.fetched("a")
    return hosts


def test_single_urls_that_break_off_do_not_hold_up_a_host_that_works() -> None:
    hosts, now, waits = working_host(), 0.0, []
    for _ in range(EXCUSED + 2):
        waits.append(hosts.failed("a", now, started=now, connected=True))
        now += waits[-1]
    assert waits == [5.0] * (EXCUSED + 1) + [20.0]


def test_a_url_that_breaks_off_again_and_again_is_one_fault_of_a_host_that_works() -> None:
    hosts, now = working_host(), 0.0
    for repeated in (False, *[True] * 20):
        wait = hosts.failed("a", now, started=now, connected=True, repeated=repeated)
        assert wait == 5.0
        now += wait
    assert hosts.faults("a") == 1


def test_a_host_that_works_but_takes_no_connection_any_more_is_out_like_any_other() -> None:
    hosts, now, waits = working_host(), 0.0, []
    for _ in range(3):
        waits.append(hosts.failed("a", now, started=now, repeated=True))
        now += waits[-1]
    assert waits == [5.0, 20.0, 80.0]

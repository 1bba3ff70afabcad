"""Rules for single hosts: blocked, boosted, limited, while the crawl runs."""

from __future__ import annotations

from math import inf

from lagotto.base.records import Lease
from lagotto.base.urls import checksum
from lagotto.crawling.frontier import Frontier, HostRules, Hosts, Turns
from tests.store.blocking import Blocking, run

SCORES = {"a.example": 3.0, "b.example": 2.0, "c.example": 1.0}


def begun(hosts: Hosts, links: int = 2) -> tuple[Frontier, Blocking]:
    """A frontier with some links on each of three hosts."""
    store = Blocking.memory().hold_all()
    store.add_seeds(
        [
            Lease(id=checksum(url), url=url, host=host, score=score)
            for host, score in SCORES.items()
            for url in [f"http://{host}/{number}" for number in range(links)]
        ]
    )
    frontier = Frontier(
        store.store,
        Turns(connections_per_host=10),
        now=lambda: 1000.0,
        wall=lambda: 1000.0,
        delay_of=lambda _: 0.0,
        pages_left=hosts.pages_left,
        boosts=hosts.rules.boosts,
    )
    run(frontier.load())
    return frontier, store


def lease(frontier: Frontier) -> str:
    run(frontier.fill())
    found = frontier.lease()
    return found.host if found is not None else ""


def test_a_boost_counts_between_hosts() -> None:
    hosts = Hosts()
    frontier, _ = begun(hosts)
    assert lease(frontier) == "a.example"
    hosts.rules.boost("c.example", 2.5)
    frontier.look_again(["c.example"])
    assert [lease(frontier) for _ in range(3)] == ["c.example", "c.example", "a.example"]


def test_a_negative_boost_makes_a_host_wait_and_0_ends_it() -> None:
    hosts = Hosts(rules=HostRules(boosts={"a.example": -10.0}))
    frontier, _ = begun(hosts, links=3)
    assert lease(frontier) == "b.example"
    hosts.rules.boost("a.example", 0.0)
    frontier.look_again(["a.example"])
    assert lease(frontier) == "a.example"


def test_a_blocked_host_gives_nothing_and_keeps_its_links() -> None:
    hosts = Hosts()
    frontier, _ = begun(hosts)
    hosts.rules.block("a.example")
    frontier.look_again(["a.example"])
    assert [lease(frontier) for _ in range(5)] == ["b.example", "b.example", "c.example", "c.example", ""]
    hosts.rules.block("a.example", blocked=False)
    frontier.look_again(["a.example"])
    assert [lease(frontier) for _ in range(3)] == ["a.example", "a.example", ""]


def test_a_limit_of_its_own_replaces_that_of_all_hosts() -> None:
    hosts = Hosts(limit=5)
    hosts.rules.limit("a.example", 1)
    hosts.rules.limit("b.example", 9)
    assert [hosts.pages_left(host) for host in SCORES] == [1, 9, 5]
    hosts.fetched("a.example")
    assert hosts.full() == ["a.example"]
    hosts.rules.limit("a.example", 0)
    assert hosts.pages_left("a.example") == 4
    assert Hosts().pages_left("a.example") == inf


def test_a_frontier_can_be_loaded_again() -> None:
    """Links that are leased stay so, and what went or came in the store is known."""
    hosts = Hosts()
    frontier, store = begun(hosts)
    assert lease(frontier) == "a.example"
    store.add_seeds(
        [Lease(id=checksum("http://d.example/"), url="http://d.example/", host="d.example", score=9.0)]
    )
    run(frontier.load())
    assert [lease(frontier) for _ in range(3)] == ["d.example", "a.example", "b.example"]
    assert frontier.in_flight == 4

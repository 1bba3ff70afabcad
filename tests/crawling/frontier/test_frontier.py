"""The frontier against a plain list: the same links in the same order, with next to nothing in RAM."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from lagotto.base.batch import HostHeads
from lagotto.base.records import Lease, NewLink, Outcome
from lagotto.base.urls import checksum
from lagotto.crawling.frontier import Frontier, Turns, frontier
from tests.store.blocking import Blocking, run

HEADS = 6
HOSTS = 2
links = st.lists(
    st.tuples(st.integers(0, HOSTS - 1), st.integers(0, 11), st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])),
    max_size=8,
    unique_by=lambda link: link[:2],
)


def url_of(host: int, number: int) -> str:
    return f"http://h{host}.example/{number}"


class FrontierMachine(RuleBasedStateMachine):
    """Finds, leases, gives back, defers and concludes links, in any order, and restarts in between."""

    @initialize()
    def begin(self) -> None:
        self.clock = 1000.0
        self.store = Blocking.memory().hold_all()
        self.queued: dict[str, float] = {}
        self.seqs: dict[str, int] = {}
        self.deferred: dict[str, float] = {}
        self.leased: dict[str, Lease] = {}
        self.asking: set[str] = set()
        self.open()

    def open(self) -> None:
        self.frontier = Frontier(
            self.store.store,
            Turns(),
            now=lambda: self.clock,
            wall=lambda: self.clock,
            delay_of=lambda _: 0.0,
        )
        run(self.frontier.load())

    def note(self, url: str, score: float) -> None:
        """What the model makes of a found link."""
        if url not in self.seqs:
            self.seqs[url] = len(self.seqs) + 1
            self.queued[url] = score
        elif url in self.queued:
            self.queued[url] = max(score, self.queued[url])

    def new_links(self, found: list[tuple[int, int, float]]) -> list[NewLink]:
        made = []
        for host, number, score in found:
            url = url_of(host, number)
            self.note(url, score)
            made.append(NewLink(checksum(url), url, f"h{host}.example", score, [], 1, ""))
        return made

    def ready(self) -> list[str]:
        """Queued links that may be leased now, best first."""
        busy = {url.split("/")[2] for url in self.asking}
        found = [
            url
            for url in self.queued
            if url not in self.leased
            and url.split("/")[2] not in busy
            and self.deferred.get(url, 0.0) <= self.clock
        ]
        return sorted(found, key=lambda url: (-self.queued[url], self.seqs[url]))

    @rule(found=links)
    def discover(self, found: list[tuple[int, int, float]]) -> None:
        seeds = [
            Lease(id=checksum(url), url=url, host=f"h{host}.example", score=score)
            for host, number, score in found
            for url in [url_of(host, number)]
        ]
        self.new_links(found)
        self.frontier.settle([], self.store.add_seeds(seeds).added)

    def better_at_busy_hosts(self, url: str) -> list[str]:
        """Links of hosts that are being asked, better than this one."""
        busy = {asked.split("/")[2] for asked in self.asking}
        worth, seq = self.queued[url], self.seqs[url]
        return [
            other
            for other, score in self.queued.items()
            if other not in self.leased
            and other.split("/")[2] in busy
            and (-score, self.seqs[other]) < (-worth, seq)
        ]

    @rule(patient=st.booleans())
    def lease(self, patient: bool) -> None:
        run(self.frontier.fill())
        lease = self.frontier.lease(patient=patient)
        ready = self.ready()
        if lease is None:
            assert not ready or (patient and self.better_at_busy_hosts(ready[0]))
            return
        if patient:
            assert self.deferred.keys() >= set(self.better_at_busy_hosts(lease.url))
        # A link that was put off may come late, but none comes before a better one that was not.
        better = [url for url in ready[: ready.index(lease.url)] if url not in self.deferred]
        assert not better
        assert lease.score == self.queued[lease.url]
        self.leased[lease.url] = lease
        self.asking.add(lease.url)

    @precondition(lambda self: self.asking)
    @rule(pick=st.integers(0, 100))
    def answer(self, pick: int) -> None:
        url = sorted(self.asking)[pick % len(self.asking)]
        self.asking.discard(url)
        self.frontier.asked(self.leased[url], self.clock)

    @precondition(lambda self: self.asking)
    @rule(pick=st.integers(0, 100))
    def give_back(self, pick: int) -> None:
        url = sorted(self.asking)[pick % len(self.asking)]
        self.asking.discard(url)
        self.frontier.give_back(self.leased.pop(url))

    @precondition(lambda self: self.leased.keys() - self.asking)
    @rule(pick=st.integers(0, 100), found=links, put_off=st.sampled_from([0.0, 0.0, 5.0]))
    def settle(self, pick: int, found: list[tuple[int, int, float]], put_off: float) -> None:
        answered = sorted(self.leased.keys() - self.asking)
        lease = self.leased.pop(answered[pick % len(answered)])
        outcome = Outcome(lease, self.clock, status=0 if put_off else 200)
        if put_off:
            outcome.retry_at = self.deferred[lease.url] = self.clock + put_off
        else:
            del self.queued[lease.url]
            self.deferred.pop(lease.url, None)
        outcome.links = self.new_links(found)
        committed = self.store.commit([outcome])
        self.frontier.settle([lease], committed.added)
        if put_off:
            self.frontier.defer(lease)

    @rule(seconds=st.sampled_from([1.0, 4.0, 10.0]))
    def wait(self, seconds: float) -> None:
        self.clock += seconds

    @rule()
    def restart(self) -> None:
        self.leased.clear()
        self.asking.clear()
        self.open()

    @invariant()
    def little_is_kept_in_ram(self) -> None:
        kept = sum(len(heads) for heads in self.frontier._heads.values())
        assert kept <= HEADS * (1 + 1 / 2) + len(self.leased) + HOSTS
        places = self.frontier._places
        assert len(places._ready) + len(places._waiting) <= 1000 + 4 * HOSTS


@pytest.fixture(autouse=True)
def few_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier, "HEADS_IN_RAM", HEADS)


def test_the_frontier_is_a_sorted_list() -> None:
    # Shrinking what fails would take minutes, and fifty steps can be read as they are.
    quick = settings(max_examples=80, stateful_step_count=50, phases=[Phase.generate])
    run_state_machine_as_test(FrontierMachine, settings=quick)


def opened(store: Blocking) -> Frontier:
    queue = Frontier(store.store, Turns(), now=lambda: 0.0, wall=lambda: 0.0, delay_of=lambda _: 0.0)
    run(queue.load())
    return queue


def next_lease(queue: Frontier) -> Lease | None:
    run(queue.fill())
    return queue.lease()


def leases_of(scores: list[float]) -> list[Lease]:
    urls = [url_of(number % HOSTS, number) for number in range(len(scores))]
    return [
        Lease(id=checksum(url), url=url, host=url.split("/")[2], score=score)
        for url, score in zip(urls, scores, strict=True)
    ]


def test_a_thousand_links_come_in_order_though_few_are_in_ram() -> None:
    store = Blocking.memory().hold_all()
    scores = [(number * 7919 % 1000) / 1000 for number in range(1000)]
    store.add_seeds(leases_of(scores))
    queue = opened(store)
    taken = []
    while (lease := next_lease(queue)) is not None:
        taken.append(lease.score)
        queue.asked(lease, 0.0)
        store.commit([Outcome(lease, 0.0, status=200)])
        queue.settle([lease], [])
        assert len([head for heads in queue._heads.values() for head in heads.links]) <= 2 * HEADS
    assert taken == sorted(scores, reverse=True)


def test_opening_reads_no_link_before_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Blocking.memory().hold_all()
    urls = [f"http://h{number}.example/" for number in range(40)]
    leases = [Lease(checksum(url), url, url.split("/")[2], number % 7) for number, url in enumerate(urls)]
    store.add_seeds(leases)
    read: list[str] = []
    heads = store.store.heads

    async def watched(wanted: Mapping[str, int], now: float) -> dict[str, HostHeads]:
        read.extend(wanted)
        return await heads(wanted, now)

    monkeypatch.setattr(store.store, "heads", watched)
    queue = opened(store)
    assert (queue.hosts, read) == (40, [])
    [better] = store.add_seeds([Lease(checksum(urls[0] + "x"), urls[0] + "x", "h0.example", 9.0)]).added
    queue.settle([], [better])
    taken = [lease.url for _ in range(3) if (lease := next_lease(queue))]
    assert taken == [better.url, urls[6], urls[13]]
    assert set(read) == {"h0.example", "h6.example", "h13.example"}

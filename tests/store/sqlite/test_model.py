"""The store against a plain model: whatever is done, and whenever it is killed, both say the same."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from lagotto.base.records import Lease, NewLink, Outcome, Reason
from lagotto.base.urls import checksum, host_of
from lagotto.lab.checks.store_calls import NOW, outcome, seed
from lagotto.store.sqlite import seen
from lagotto.store.sqlite import seen as sweep
from tests.store.blocking import Blocking, run
from tests.store.stores import OnDisk

HOSTS = ("a.example", "b.example", "c.example:8080")
URLS = [f"http://{host}/{number}" for host in HOSTS for number in range(6)]
SCORES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])


@dataclass
class Known:
    """What the model keeps of a link."""

    seq: int
    state: str
    score: float
    parent: str
    depth: int
    attempts: int = 0
    retry_at: float = 0.0


@dataclass
class Model:
    """A store as one would write it on a napkin."""

    links: dict[str, Known] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)
    shelf: dict[str, tuple[float, list[NewLink]]] = field(default_factory=dict)
    barrier: set[str] = field(default_factory=set)
    samples: list[bytes] = field(default_factory=list)
    state: bytes | None = None

    def find(self, link: NewLink) -> None:
        """A page or a seed that does not shelve names the link."""
        known = self.links.get(link.url)
        if known is None:
            self.links[link.url] = Known(len(self.links) + 1, "queued", link.score, link.parent, link.depth)
        elif known.state == "held":
            known.state, known.score = "queued", link.score
            known.parent, known.depth = link.parent, link.depth
        elif known.state == "queued" and link.score > known.score:
            known.score, known.parent, known.depth = link.score, link.parent, min(known.depth, link.depth)

    def hold(self, link: NewLink) -> None:
        """A page that shelves names the link."""
        known = Known(len(self.links) + 1, "held", link.score, link.parent, link.depth)
        self.links.setdefault(link.url, known)

    def conclude(self, url: str) -> None:
        """The URL is done."""
        self.links[url].state = "concluded"
        self.pages.append(url)
        self.barrier.discard(url)

    def queued(self, host: str, now: float) -> list[tuple[str, float, str, int, int, int]]:
        """What can be leased of a host."""
        found = [
            (url, known.score, known.parent, known.depth, known.attempts, known.seq)
            for url, known in self.links.items()
            if known.state == "queued" and host_of(url) == host and known.retry_at <= now
        ]
        return sorted(found, key=lambda link: (-link[1], link[-1]))


links = st.lists(st.tuples(st.sampled_from(URLS), SCORES, st.integers(0, 5)), max_size=6)


class StoreMachine(RuleBasedStateMachine):
    """Does to both whatever can be done to a store."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.stores = OnDisk(Path(self.folder.name))
        self.model = Model()
        self.filler = 0
        self.patches = [patch.object(sweep, "STEP", 1), patch.object(seen, "FILLED_AT_ONCE", 3)]
        for each in self.patches:
            each.start()
        self.storage = self.stores.place()
        self.store = Blocking(run(self.storage.create(b"")))
        self.store.hold_all()

    def teardown(self) -> None:
        self.stores.close()
        self.folder.cleanup()
        for each in self.patches:
            each.stop()

    @initialize()
    def start(self) -> None:
        self._seed(URLS[0], 1.0)

    @rule(url=st.sampled_from(URLS), score=SCORES)
    def add_seed(self, url: str, score: float) -> None:
        self._seed(url, score)

    def _seed(self, url: str, score: float) -> None:
        self.store.add_seeds([seed(url, score)])
        self.model.find(NewLink(checksum(url), url, host_of(url), score, [], 0, ""))

    @rule()
    def grow(self) -> None:
        """As many new links as there are buckets, so that all older ones go to disk."""
        numbers = range(self.filler, self.filler + sweep.BUCKETS)
        fillers = [f"http://filler{number % 50}.example/{number}" for number in numbers]
        self.filler += sweep.BUCKETS
        self.store.add_seeds([seed(url) for url in fillers])
        for url in fillers:
            self.model.find(NewLink(checksum(url), url, host_of(url), 1.0, [], 0, ""))

    @rule(host=st.sampled_from(HOSTS), n=st.integers(1, 3), found=links, learn=st.booleans())
    def commit(self, host: str, n: int, found: list[tuple[str, float, int]], learn: bool) -> None:
        leases = self.store.top(host, n, NOW + 1000)
        batch = [outcome(lease, *self._links(lease, found)) for lease in leases]
        for done in batch:
            done.sample = done.lease.url.encode() if learn else None
        added = {lease.url for lease in self.store.commit(batch).added}
        before = {url: known.score for url, known in self.model.links.items() if known.state == "queued"}
        for done in batch:
            self.model.conclude(done.lease.url)
            for link in done.links:
                self.model.find(link)
            if learn:
                self.model.samples.append(done.lease.url.encode())
        changed = {
            url
            for url, known in self.model.links.items()
            if known.state == "queued" and not known.retry_at and before.get(url) != known.score
        }
        assert added == changed

    @rule(host=st.sampled_from(HOSTS), found=links, rank=SCORES)
    def shelve(self, host: str, found: list[tuple[str, float, int]], rank: float) -> None:
        for lease in self.store.top(host, 1, NOW + 1000):
            held = self._links(lease, found)
            for link in held:
                link.held = True
            assert self.store.commit([outcome(lease, *held, shelf=rank)]).added == []
            self.model.conclude(lease.url)
            for link in held:
                self.model.hold(link)
            self.model.shelf[lease.url] = (rank, held)

    def _links(self, lease: Lease, found: list[tuple[str, float, int]]) -> list[NewLink]:
        distinct = {url: (score, depth) for url, score, depth in found}
        return [
            NewLink(checksum(url), url, host_of(url), score, [score], depth, lease.url)
            for url, (score, depth) in distinct.items()
        ]

    @rule()
    def expand(self) -> None:
        best = self.store.shelf_top()
        if not self.model.shelf:
            assert best is None
            return
        order = {url: number for number, url in enumerate(self.model.pages)}
        url = min(self.model.shelf, key=lambda url: (-self.model.shelf[url][0], order[url]))
        rank, held = self.model.shelf.pop(url)
        assert best == (checksum(url), url, rank)
        self.store.expand(best[0], sample=b"expand")
        self.model.samples.append(b"expand")
        for link in held:
            self.model.find(link)
        known = self.model.links
        self.model.barrier = {
            link.url for link in held if known[link.url].state == "queued" and not known[link.url].retry_at
        }

    @rule(url=st.sampled_from(URLS), rank=SCORES)
    def rerank(self, url: str, rank: float) -> None:
        self.store.rerank([(checksum(url), rank)])
        if url in self.model.shelf:
            self.model.shelf[url] = (rank, self.model.shelf[url][1])

    @rule(host=st.sampled_from(HOSTS), wait=st.sampled_from([5.0, 100.0]))
    def defer(self, host: str, wait: float) -> None:
        for lease in self.store.top(host, 1, NOW):
            late = Outcome(lease, NOW, reason=Reason.TIMEOUT_TOTAL, retry_at=NOW + wait)
            assert self.store.commit([late]).added == []
            known = self.model.links[lease.url]
            known.retry_at, known.attempts = NOW + wait, known.attempts + 1
            if wait > 60:
                self.model.barrier.discard(lease.url)

    @rule(url=st.sampled_from(URLS), score=SCORES)
    def rescore(self, url: str, score: float) -> None:
        self.store.rescore([(checksum(url), score, [])])
        known = self.model.links.get(url)
        if known is not None and known.state in ("queued", "held"):
            known.score = score

    @rule()
    def snapshot(self) -> None:
        self.model.state = b"%d pages" % len(self.model.pages)
        self.store.snapshot(self.model.state)
        self.model.samples.clear()

    @rule(host=st.sampled_from(HOSTS))
    def fail(self, host: str) -> None:
        """A commit that cannot succeed leaves everything as it was, in memory too."""
        doomed = [outcome(lease) for lease in self.store.top(host, 2, NOW + 1000)]
        try:
            self.store.commit([*doomed, outcome(seed("http://never.example/"))])
        except ValueError:
            return
        raise AssertionError

    @rule()
    def killed(self) -> None:
        self.store.kill()
        self.store = Blocking(run(self.storage.open()))
        self.store.hold_all()

    @rule()
    def closed(self) -> None:
        self.store.close()
        self.store = Blocking(run(self.storage.open()))
        assert self.store.notes == []
        self.store.hold_all()

    @invariant()
    def same_queue(self) -> None:
        for host in HOSTS:
            for now in (NOW, NOW + 50, NOW + 1000):
                leases = self.store.top(host, 100, now)
                found = [(x.url, x.score, x.parent, x.depth, x.attempts, x.seq) for x in leases]
                assert found == self.model.queued(host, now)
            retries = [
                known.retry_at
                for url, known in self.model.links.items()
                if known.state == "queued" and host_of(url) == host
            ]
            assert self.store.next_retry(host) == min(retries, default=None)

    @invariant()
    def same_rest(self) -> None:
        assert self.store.known == len(self.model.links)
        assert self.store.concluded == len(self.model.pages)
        assert self.store.barrier() == len(self.model.barrier)
        assert self.store.restore() == (self.model.state, self.model.samples)
        hosts = {host_of(url) for url, known in self.model.links.items() if known.state == "queued"}
        found = self.store.hosts()
        assert found.keys() == hosts
        for host, place in found.items():
            if place is not None:
                best = self.store.top(host, 1, NOW + 1000)[0]
                assert place == (-best.score, best.seq)

    @invariant()
    def same_export(self) -> None:
        reader = self.store.reader()
        assert [row.url for row in reader.rows()] == self.model.pages
        status = reader.status()
        states = [known.state for known in self.model.links.values()]
        assert (status.queued, status.held) == (states.count("queued"), states.count("held"))
        free = [
            (-known.score, known.seq, url)
            for url, known in self.model.links.items()
            if known.state == "queued" and not known.retry_at
        ]
        assert [link.url for link in reader.best_queued(5)] == [url for _, _, url in sorted(free)[:5]]


TestStore = StoreMachine.TestCase
TestStore.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)

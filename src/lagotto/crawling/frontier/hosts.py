"""How each host has behaved so far: what it gave and whether it still answers."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from msgspec import Struct, field

from lagotto.crawling.frontier.dead_ends import DeadEnds


class HostRules(Struct):
    """Rules by host and port, as politeness sees them; they may change while the crawl runs."""

    blocked: set[str] = field(default_factory=set)
    boosts: dict[str, float] = field(default_factory=dict)
    """Host -> amount added to its link scores when hosts are compared."""
    limits: dict[str, int] = field(default_factory=dict)
    """Host -> pages at most, in place of the limit for all hosts."""

    def block(self, host: str, *, blocked: bool = True) -> None:
        """Ask the host no more, or again."""
        (self.blocked.add if blocked else self.blocked.discard)(host)

    def boost(self, host: str, amount: float) -> None:
        """Prefer the host, or with a negative amount the others; 0 takes that back."""
        self.boosts.pop(host, None)
        if amount:
            self.boosts[host] = amount

    def limit(self, host: str, pages: int) -> None:
        """Fetch at most so many pages of the host; 0 takes that back."""
        self.limits.pop(host, None)
        if pages:
            self.limits[host] = pages

    def pages_at_most(self, host: str, usual: float) -> float:
        """Pages that the host may give, where `usual` holds for all others; 0 there means no limit."""
        if host in self.blocked:
            return 0
        return self.limits.get(host, usual or inf)

    def sentences(self, host: str) -> list[str]:
        """The rules that concern a host, for a person."""
        said = ["blocked"] if host in self.blocked else []
        if host in self.boosts:
            said.append(f"link scores {self.boosts[host]:+g}")
        if host in self.limits:
            said.append(f"at most {self.limits[host]} pages")
        return said


LONGEST_WAIT = 3600.0
SHORT_WAIT = 60.0
"""Seconds that a crawl waits for a failing host when it has nothing else to do."""
PROVEN = 20
"""Pages from which on a host is known to work."""
EXCUSED = 3
"""Outages of a host that works and takes connections, after which the waits begin to grow."""
FREE_REDIRECTS = 100
"""Redirects of a host that do not count against its limit."""
_SHOWN = 10_000


class _Host(Struct):
    pages: int = 0
    redirects: int = 0
    faults: int = 0
    """Outages in a row: failed requests that were sent during one count once."""
    failing_since: float = 0.0
    wait: float = 0.0
    until: float = 0.0
    """End of the wait after the last fault."""
    answered: bool = False


class Wait(NamedTuple):
    """A host that is left alone for some time."""

    host: str
    seconds: float
    why: str


class Hosts:
    """What is remembered of hosts; a limit of 0 means none."""

    def __init__(
        self, *, limit: int = 0, retry_wait: float = 5.0, tries: int = 3, rules: HostRules | None = None
    ) -> None:
        self.limit = limit
        self.retry_wait = retry_wait
        self.tries = tries
        self.rules = rules or HostRules()
        self.dead_ends = DeadEnds()
        self._hosts: dict[str, _Host] = {}
        self._answered_at = 0.0
        self._waits: dict[str, tuple[float, str]] = {}

    def pages_left(self, host: str) -> float:
        """Number of pages that may still be fetched from the host.

        Redirects are counted besides: a host may send a hundred more of them than pages.
        """
        known = self._hosts.get(host)
        most = self.rules.pages_at_most(host, self.limit)
        return most - max(known.pages, known.redirects - FREE_REDIRECTS) if known else most

    def full(self) -> list[str]:
        """Hosts that have reached their limit; those that the user blocked are left out."""
        return [host for host in self._hosts if self.pages_left(host) <= 0 and host not in self.rules.blocked]

    def fetched(self, host: str, *, relevant: bool = False) -> None:
        """Count a page of the host."""
        self._hosts.setdefault(host, _Host()).pages += 1
        self.dead_ends.page(host, relevant=relevant)

    def missed(self, host: str) -> None:
        """Count a request to the host that brought no page."""
        self.dead_ends.miss(host)

    def redirected(self, host: str) -> None:
        """Count a redirect that the host sent."""
        self._hosts.setdefault(host, _Host()).redirects += 1

    def answered(self, host: str, now: float) -> None:
        """The host gave an answer, whatever it was."""
        self._answered_at = now
        known = self._hosts.setdefault(host, _Host())
        known.answered = True
        known.faults = 0

    def faults(self, host: str) -> int:
        """Outages of the host since it last answered."""
        known = self._hosts.get(host)
        return known.faults if known else 0

    def failed(
        self,
        host: str,
        now: float,
        *,
        started: float,
        at_least: float = 0.0,
        why: str = "",
        connected: bool = False,
        repeated: bool = False,
    ) -> float:
        """Count a request without answer; returns for how many seconds to leave the host alone.

        The wait grows with each fault. Requests that were started before the wait of the last fault was
        over belong to that fault: with several connections one outage fails many requests.

        `connected` says that the host took the connection, `repeated` that the same URL failed before. Of a
        host that works, such failures may be those of single URLs: the wait does not grow at once.
        """
        known = self._hosts.setdefault(host, _Host())
        if started >= known.until:
            works = connected and known.pages >= PROVEN
            if not (works and repeated and known.faults):
                known.faults += 1
            if known.faults == 1:
                known.failing_since = now
            growing = max(0, known.faults - 1 - EXCUSED * works)
            known.wait = min(self.retry_wait * 4.0 ** min(growing, 20), LONGEST_WAIT)
            known.until = now + known.wait
        known.wait = max(known.wait, at_least)
        known.until = max(known.until, now + at_least)
        self.leave_alone(host, known.until, why)
        return max(0.0, known.until - now)

    def leave_alone(self, host: str, until: float, why: str) -> None:
        """Note until when, and why, the host is not asked; only for display."""
        self._waits.pop(host, None)
        self._waits[host] = until, why
        if len(self._waits) > _SHOWN:
            del self._waits[next(iter(self._waits))]

    def waits(self, now: float) -> list[Wait]:
        """Hosts that are left alone because they failed or asked for it, the shortest wait first."""
        self._waits = {host: wait for host, wait in self._waits.items() if wait[0] > now}
        found = [Wait(host, until - now, why) for host, (until, why) in self._waits.items()]
        return sorted(found, key=lambda wait: wait.seconds)

    def gone(self, host: str, now: float) -> bool:
        """Whether the host is not worth waiting for when there is nothing else to do.

        When no host answers any more the network may be down; hosts that used to answer are then
        given more time than those that never did.
        """
        known = self._hosts.get(host)
        if known is None or not known.faults or not self._answered_at:
            return False
        if known.faults < self.tries and known.wait <= SHORT_WAIT:
            return False
        others_answer = self._answered_at > known.failing_since
        return not known.answered or others_answer or now - known.failing_since > LONGEST_WAIT

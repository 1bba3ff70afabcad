"""How each host has behaved so far: what it gave, whether it still answers, whether its pages differ."""

from __future__ import annotations

from math import inf

from msgspec import Struct

ALIKE = 20
"""Bits of a simhash by which two pages with much the same words differ at most."""
LONGEST_WAIT = 3600.0
SHORT_WAIT = 60.0
"""Seconds that a crawl waits for a host that failed, when there is nothing else to do."""
_BITS = (1 << 64) - 1


class _Host(Struct):
    pages: int = 0
    failures: int = 0
    """Requests in a row that brought no answer."""
    failing_since: float = 0.0
    wait: float = 0.0
    answered: bool = False
    look: int = 0
    """Simhash that more pages than not have been close to lately."""
    votes: int = 0


class Hosts:
    """What is remembered of hosts; limits of 0 mean none.

    Whether a host's pages are all alike is found by a majority vote (Boyer and Moore 1981), which
    needs one page and one number a host: each page that looks like the one kept adds a vote, each
    other takes one away, and at none the next page is kept instead.
    """

    def __init__(
        self, *, limit: int = 0, alike_limit: int = 0, retry_wait: float = 5.0, tries: int = 3
    ) -> None:
        self.limit = limit
        self.alike_limit = alike_limit
        self.retry_wait = retry_wait
        self.tries = tries
        self._hosts: dict[str, _Host] = {}
        self._answered_at = 0.0

    def pages_left(self, host: str) -> float:
        """Pages that the host may still give."""
        known = self._hosts.get(host)
        return self.limit - (known.pages if known else 0) if self.limit else inf

    def full(self) -> list[str]:
        """Hosts that have given all they may."""
        return [host for host in self._hosts if self.pages_left(host) <= 0]

    def fetched(self, host: str, simhash: int = 0) -> None:
        """A page came from the host; its simhash is 0 if it has no words."""
        known = self._hosts.setdefault(host, _Host())
        known.pages += 1
        if not simhash or not self.alike_limit:
            return
        if not known.votes:
            known.look = simhash
        if _distance(known.look, simhash) > ALIKE:
            known.votes -= 1
        elif known.votes < self.alike_limit:
            known.votes += 1

    def all_alike(self, host: str, simhash: int) -> bool:
        """Whether a page is one of very many on its host that say much the same.

        So are the pages that some servers make up for any address that is asked for.
        """
        known = self._hosts.get(host)
        return (
            self.alike_limit > 0
            and known is not None
            and known.votes >= self.alike_limit
            and _distance(known.look, simhash) <= ALIKE
        )

    def answered(self, host: str, now: float) -> None:
        """The host gave an answer, whatever it was."""
        self._answered_at = now
        known = self._hosts.setdefault(host, _Host())
        known.answered = True
        known.failures = 0

    def failed(self, host: str, now: float, at_least: float = 0.0) -> float:
        """The host gave no answer: returns how many seconds to leave it alone, longer each time."""
        known = self._hosts.setdefault(host, _Host())
        known.failures += 1
        if known.failures == 1:
            known.failing_since = now
        growing = min(self.retry_wait * 4.0 ** min(known.failures - 1, 20), LONGEST_WAIT)
        known.wait = max(growing, at_least)
        return known.wait

    def gone(self, host: str, now: float) -> bool:
        """Whether the host is not worth waiting for when there is nothing else to do.

        When no host answers any more the network may be down; hosts that used to answer are then
        given more time than those that never did.
        """
        known = self._hosts.get(host)
        if known is None or not known.failures or not self._answered_at:
            return False
        if known.failures < self.tries and known.wait <= SHORT_WAIT:
            return False
        others_answer = self._answered_at > known.failing_since
        return not known.answered or others_answer or now - known.failing_since > LONGEST_WAIT


def _distance(one: int, other: int) -> int:
    return ((one ^ other) & _BITS).bit_count()

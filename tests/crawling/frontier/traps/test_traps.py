"""All rules together: what they say, and that they keep silent when they are turned off."""

from __future__ import annotations

from lagotto.crawling.frontier import Refused, Scope, Traps
from lagotto.crawling.frontier.traps.evidence import ENOUGH
from tests.crawling.frontier.traps.webs import page

WHY = "parameter sid does not change the pages of a.example"


def url(n: int, session: int) -> str:
    return f"http://a.example/page?id={n}&sid={session}"


def visited(traps: Traps) -> Traps:
    for n in range(ENOUGH):
        for session in (1, 2):
            traps.count(page(url(n, session), n))
    return traps


def test_the_scope_refuses_links_into_a_trap_and_they_are_counted() -> None:
    scope = Scope(traps=visited(Traps()))
    assert scope.refusal(url(0, 3), 1) == Refused.NO_EFFECT
    assert scope.refusal(url(ENOUGH, 3), 1) is None
    assert scope.traps.found == {WHY: 1}


def test_traps_may_be_ignored() -> None:
    traps = visited(Traps(enabled=False))
    assert traps.refuses(url(0, 3)) is None
    assert not traps.found

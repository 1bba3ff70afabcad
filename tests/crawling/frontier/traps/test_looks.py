"""The common look of pages is the majority of their bits."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lagotto.crawling.frontier.traps.evidence import Look
from tests.crawling.frontier.traps.webs import page

SIMHASH = st.integers(-(1 << 63), (1 << 63) - 1)


@given(SIMHASH)
def test_one_page_is_its_own_look(simhash: int) -> None:
    look = Look()
    look.add(simhash)
    assert look.distance(simhash) == 0
    assert look.distance(~simhash) == 64


def test_noise_cancels_out() -> None:
    look = Look()
    for n in range(101):
        look.add(page(f"http://a.example/{n}", "template", bits=12).simhash)
    assert look.distance(page("", "template").simhash) <= 3
    assert look.distance(Random(1).getrandbits(63)) > 20

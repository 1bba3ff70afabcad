"""Hosts that hold the same pages are recognised; hosts that share a few are not."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lagotto.crawling.frontier import Refused
from lagotto.crawling.frontier.traps import Mirrors
from lagotto.crawling.frontier.traps.evidence import ENOUGH
from tests.crawling.frontier.traps.webs import page


def test_ten_mirrors_asked_in_any_order_cost_few_requests() -> None:
    wanted = [f"http://m{host}.example/page/{n}?v=1" for host in range(10) for n in range(100)]
    Random(1).shuffle(wanted)
    rule, asked = Mirrors(), set()
    requests = 0
    for url in wanted:
        if rule.refuses(url) is None:
            requests += 1
            asked.add(url.rpartition("/")[2])
            rule.count(page(url, url.rpartition("/")[2]))
    assert len(asked) == 100
    assert requests - 100 <= 200


def test_the_mirror_and_what_it_mirrors_are_named() -> None:
    rule = Mirrors()
    for n in range(ENOUGH + 1):
        rule.count(page(f"http://a.example/{n}", n))
    for n in range(ENOUGH):
        rule.count(page(f"http://b.example/{n}", n))
    trapped = rule.refuses(f"http://b.example/{ENOUGH}")
    assert str(trapped) == f"{Refused.MIRROR}: b.example holds the same pages as a.example"
    assert rule.refuses("http://b.example/another") is None, "only what the other host gave is left out"
    assert rule.refuses(f"http://c.example/{ENOUGH}") is None


def test_hosts_that_share_their_small_print_are_no_mirrors() -> None:
    rule = Mirrors()
    for host in ("a", "b"):
        for n in range(ENOUGH):
            rule.count(page(f"http://{host}.example/legal/{n}", n))
        rule.count(page(f"http://{host}.example/", host))
    assert rule.refuses("http://b.example/legal/0") is None


HOSTS = st.sampled_from(["a.example", "b.example", "c.example:8080"])
PATHS = st.sampled_from([f"/{n}" for n in range(12)])


@given(st.lists(st.tuples(HOSTS, PATHS), max_size=100), HOSTS, PATHS)
def test_hosts_with_pages_of_their_own_are_never_mirrors(
    fetched: list[tuple[str, str]], host: str, path: str
) -> None:
    rule = Mirrors()
    for given_by, at in fetched:
        rule.count(page(f"http://{given_by}{at}", (given_by, at)))
    assert rule.refuses(f"http://{host}{path}") is None

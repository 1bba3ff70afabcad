"""Look-alike pages that lead to more of their kind are left alone; ordinary sites are not."""

from __future__ import annotations

from random import Random

from lagotto.crawling.frontier import Refused
from lagotto.crawling.frontier.traps import Mazes
from lagotto.crawling.frontier.traps.mazes import ENOUGH
from tests.crawling.frontier.traps.webs import page

HOST = "http://a.example"


def walk(rule: Mazes, fan_out: int, steps: int) -> list[str]:
    """Fetch made-up pages breadth first, as far as the rule lets it; returns those fetched."""
    queue = [(f"{HOST}/start", f"{HOST}/")]
    fetched: list[str] = []
    for url, parent in queue:
        if len(fetched) == steps:
            break
        if rule.found_in(parent):
            continue
        made_up = page(url, "nothing here", parent, bits=6)
        if not rule.is_in(url, made_up.simhash):
            queue += [(f"{url}-{n}", url) for n in range(fan_out)]
        rule.count(made_up)
        fetched.append(url)
    return fetched


def test_pages_made_up_for_any_address_are_found_out() -> None:
    rule = Mazes()
    rule.count(page(f"{HOST}/", "front"))
    fetched = walk(rule, fan_out=10, steps=1000)
    assert len(fetched) < 100
    trapped = rule.found_in(fetched[3])
    assert trapped is not None
    assert trapped.reason == Refused.ALIKE
    assert f"look like {HOST}/start" in trapped.why
    assert rule.found_in(f"{HOST}/") is None
    assert rule.is_in(f"{HOST}/x", page("", "another page").simhash) is None
    assert rule.is_in("http://b.example/x", page("", "nothing here").simhash) is None


def test_a_calendar_that_goes_on_for_ever_is_found_out_among_real_pages() -> None:
    rule = Mazes()
    url = f"{HOST}/month-0"
    for n in range(1000):
        rule.count(page(f"{HOST}/real-{n}", n, f"{HOST}/real-{n // 3}"))
        if rule.found_in(url):
            break
        following = f"{HOST}/month-{n + 1}"
        rule.count(page(following, "no events", url, bits=8))
        url = following
    assert n <= 2 * ENOUGH


def test_pages_of_one_template_found_on_an_index_are_wanted() -> None:
    rule = Mazes()
    index = f"{HOST}/index"
    rule.count(page(index, "index"))
    for n in range(500):
        assert rule.found_in(index) is None
        rule.count(page(f"{HOST}/class-{n}", "template", index, bits=6))


def test_pages_of_one_template_that_lead_to_others_are_wanted() -> None:
    rule = Mazes()
    random = Random(1)
    for n in range(600):
        parent = f"{HOST}/{random.randrange(n)}" if n else ""
        assert not parent or rule.found_in(parent) is None
        other = n % 7 == 0
        rule.count(page(f"{HOST}/{n}", n if other else "template", parent, bits=0 if other else 6))


def test_distinct_pages_are_never_in_a_maze() -> None:
    rule = Mazes()
    random = Random(2)
    for n in range(3000):
        parent = f"{HOST}/page?id={random.randrange(n)}" if n else ""
        assert rule.found_in(parent) is None
        found = page(f"{HOST}/page?id={n}", n, parent)
        assert rule.is_in(found.url, found.simhash) is None
        rule.count(found)

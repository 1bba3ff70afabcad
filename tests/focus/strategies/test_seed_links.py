"""Links from and to seed pages, against counts made from scratch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.strategies.seed_links import Candidate, SeedLinks

GRAPHS = st.lists(st.lists(st.integers(0, 11), unique=True, max_size=8), min_size=12, max_size=12)
EVENTS = st.lists(st.tuples(st.sampled_from(["add", "join"]), st.integers(0, 11)), max_size=40)


class Recount:
    """The same counts, made by looking at all links every time."""

    def __init__(self, graph: list[list[int]]) -> None:
        self.graph = graph
        self.shelf: dict[int, int] = {}
        """Page -> links taken for granted: one where no seed page was seen to link to it when it came."""
        self.seeds: set[int] = set()

    def candidate(self, page: int) -> Candidate:
        to_seed = sum(target in self.seeds for target in self.graph[page])
        from_seed = sum(page in self.graph[seed] for seed in self.seeds)
        return Candidate(0.5, to_seed, from_seed + self.shelf.get(page, from_seed == 0))

    def add(self, page: int) -> None:
        self.shelf[page] = int(not any(page in self.graph[seed] for seed in self.seeds))

    def join(self, page: int) -> dict[int, Candidate]:
        before = {other: self.candidate(other) for other in self.shelf}
        del self.shelf[page]
        self.seeds.add(page)
        after = {other: self.candidate(other) for other in self.shelf}
        return {other: found for other, found in after.items() if found != before[other]}


@given(GRAPHS, EVENTS)
def test_counts_are_those_of_a_full_recount(graph: list[list[int]], events: list[tuple[str, int]]) -> None:
    links, recount = SeedLinks(), Recount(graph)
    for kind, page in events:
        if kind == "add" and page not in recount.shelf.keys() | recount.seeds:
            assert links.fetched(page, graph[page], 0.5) == recount.candidate(page)
            links.add(page, graph[page], 0.5)
            recount.add(page)
        elif kind == "join" and page in recount.shelf:
            assert links.join(page) == recount.join(page)
        saved = links.save()
        links = SeedLinks()
        links.load(saved)
        assert links.save() == saved


def test_only_pages_that_a_new_seed_page_touches_change() -> None:
    links = SeedLinks()
    links.add(1, [2, 3], 0.5)
    links.add(2, [1], 0.2)
    links.add(4, [5], 0.9)
    assert links.join(1) == {2: Candidate(0.2, 1, 2)}
    assert links.join(1) == {}, "a page joins once"
    assert links.join(99) == {}, "a page that nobody knows"


def test_a_start_page_is_never_ranked_by_its_counts() -> None:
    links = SeedLinks()
    links.add(1, [2], 0.5, start=True)
    links.add(2, [1], 0.5, start=True)
    assert links.join(1) == {}


def test_a_page_reached_by_a_redirect_has_a_link_from_a_seed_page() -> None:
    links = SeedLinks()
    links.add(1, [10], 0.5)
    links.join(1)
    # 10 redirects to 20.
    assert links.fetched(20, [], 0.5).from_seed == 1


def test_beyond_the_limit_links_are_no_longer_remembered() -> None:
    links = SeedLinks(max_links=2)
    links.add(1, [7, 8], 0.5)
    links.add(2, [1], 0.5)
    assert links.join(1) == {}
    assert links.fetched(7, [1], 0.5) == Candidate(0.5, 1, 1)


def test_rank() -> None:
    assert Candidate(similarity=1.0, to_seed=0, from_seed=1).rank / Candidate(0.0, 0, 1).rank == 11.0

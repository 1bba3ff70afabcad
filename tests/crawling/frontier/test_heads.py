"""Heads: always a true prefix of the host's queue, whatever is offered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.batch import Score
from lagotto.base.records import Lease
from lagotto.crawling.frontier.heads import Heads, order


def link(number: int, score: float) -> Lease:
    return Lease(id=number, url=f"http://h/{number}", host="h", score=score, seq=number)


@given(st.lists(st.floats(-5, 5), max_size=40), st.integers(1, 8))
def test_heads_are_the_best_links_in_order(scores: list[float], room: int) -> None:
    queue = [link(number, score) for number, score in enumerate(scores)]
    heads = Heads()
    for lease in queue:
        heads.offer(lease, room)
    assert heads.links == sorted(queue, key=order)[: len(heads)]
    assert heads.more == (len(heads) < len(queue))
    assert len(heads) == min(room, len(queue))


def test_a_raised_link_moves_up_once() -> None:
    heads = Heads()
    for number in range(3):
        heads.offer(link(number, -number), room=5)
    heads.offer(link(2, 9.0), room=5)
    assert [lease.id for lease in heads.links] == [2, 0, 1]


def test_a_link_worse_than_the_last_head_waits_on_disk_while_there_is_more() -> None:
    heads = Heads()
    heads.fill([link(1, 5.0)], more=True)
    heads.offer(link(2, 4.0), room=5)
    assert [lease.id for lease in heads.links] == [1]
    heads.offer(link(3, 6.0), room=5)
    assert [lease.id for lease in heads.links] == [3, 1]


def test_equal_scores_keep_the_order_of_discovery() -> None:
    heads = Heads()
    for number in (3, 1, 2):
        heads.offer(link(number, 1.0), room=5)
    assert [lease.id for lease in heads.links] == [1, 2, 3]


@given(
    st.lists(st.integers(-5, 5), max_size=12),
    st.integers(1, 6),
    st.dictionaries(st.integers(0, 14), st.integers(-6, 6), max_size=8),
)
def test_revised_heads_are_still_the_best_links(
    scores: list[int], room: int, revised: dict[int, int]
) -> None:
    heads = Heads()
    for number, score in enumerate(scores):
        heads.offer(link(number, score), room)
    heads.revise({number: Score(number, score) for number, score in revised.items()})
    queue = [link(number, revised.get(number, score)) for number, score in enumerate(scores)]
    assert heads.links == sorted(queue, key=order)[: len(heads)]
    assert len(heads) == len(queue) or heads.more
    assert heads.unknown == (heads.more and not heads.links)


def test_heads_stay_in_memory_when_worse_links_are_revised() -> None:
    heads = Heads()
    for number in range(6):
        heads.offer(link(number, -number), room=3)
    heads.revise({number: Score(number, score) for number, score in ((0, -1.5), (1, -7.0), (4, -3.0))})
    assert [lease.id for lease in heads.links] == [0, 2]


def test_a_leased_link_that_is_revised_does_not_empty_the_heads() -> None:
    heads = Heads()
    heads.fill([link(2, 6.0), link(1, 5.0)], more=True)
    assert heads.take().id == 2
    heads.revise({2: Score(2, 4.0)})
    assert [lease.id for lease in heads.links] == [1]
    heads.give_back(2)
    assert [(lease.id, lease.score) for lease in heads.links] == [(1, 5.0), (2, 4.0)]


def test_a_leased_link_that_is_found_again_keeps_its_lease() -> None:
    heads = Heads()
    heads.offer(link(1, 2.0), room=5)
    heads.take()
    heads.offer(link(1, 3.0), room=5)
    assert (heads.links, heads.best) == ([], None)
    heads.give_back(1)
    assert heads.place == (-3.0, 1)

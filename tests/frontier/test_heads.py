"""Heads: always a true prefix of the host's queue, whatever is offered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lagotto.frontier.heads import Heads, order
from lagotto.records import Lease


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

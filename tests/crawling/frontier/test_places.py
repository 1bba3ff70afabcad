from __future__ import annotations

from lagotto.crawling.frontier.places import Places


def test_hosts_whose_turn_comes_by_a_time() -> None:
    places = Places()
    assert not list(places.waiting_until(9.0))
    for number in range(100):
        places.waits(str(number), float(number))
    assert sorted(places.waiting_until(30.0), key=int) == [str(number) for number in range(31)]
    assert not list(places.waiting_until(-1.0))


def test_a_host_has_one_entry() -> None:
    places = Places()
    places.is_ready("a", (-1.0, 1))
    places.is_ready("b", (-2.0, 2))
    places.is_ready("a", (-3.0, 3))
    assert places.top() == (-3.0, 3, "a")
    places.waits("a", 5.0)
    assert (places.top(), places.first_turn()) == ((-2.0, 2, "b"), 5.0)
    assert list(places.take_due(5.0)) == ["a"]
    assert places.first_turn() is None
    places.forget("b")
    assert places.top() is None


def test_older_entries_do_not_pile_up() -> None:
    places = Places()
    for number in range(20_000):
        places.is_ready("a", (float(number), number))
        places.waits("b", float(number))
    assert len(places._ready) + len(places._waiting) < 2500
    assert places.top() == (19_999.0, 19_999, "a")

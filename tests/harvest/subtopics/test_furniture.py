"""Lines that pages share."""

from __future__ import annotations

from lagotto.harvest.subtopics.space import REPEATED, Furniture


def test_lines_on_several_pages_are_taken_out_whatever_their_digits() -> None:
    texts = [
        f"Menu\nUpdated 2026-01-0{n}\nPage {n} is about its own matter {'x' * n}" for n in range(REPEATED)
    ]
    furniture = Furniture.found(texts)
    assert furniture.without(texts[2]) == "Page 2 is about its own matter xx"
    assert furniture.without("menu \nA new page") == "A new page"


def test_lines_on_few_pages_stay() -> None:
    assert Furniture.found(["Menu\na"] * (REPEATED - 1)).without("Menu\na") == "Menu\na"

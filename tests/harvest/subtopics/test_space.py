"""Pages as vectors."""

from __future__ import annotations

import numpy as np

from lagotto.harvest.subtopics.space import Space, count_page

TEXTS = {"wind": "wind turbine blade rotor", "sun": "solar panel cell roof"}


def sample() -> list[dict[str, int]]:
    return [count_page(f"{name} {n}", text, "en") for n in range(10) for name, text in TEXTS.items()]


def test_pages_about_the_same_are_alike_and_later_pages_too() -> None:
    space = Space.learned(sample())
    wind, sun, later = space.vectors(
        [*sample()[:2], count_page("New", "A rotor and a blade in the wind", "en")]
    )
    assert wind @ later > 0.8
    assert sun @ later < 0


def test_a_title_counts_as_several_occurrences() -> None:
    assert count_page("Wind", "wind", "en") == {"wind": 4}


def test_pages_without_known_terms_are_zeros() -> None:
    space = Space.learned(sample())
    assert not space.vectors([{}, {"other": 3}]).any()
    assert Space.learned([{"a": 1}, {"b": 1}]).vectors([{"a": 1}]).shape == (1, 0)
    assert np.isfinite(space.vectors(sample())).all()

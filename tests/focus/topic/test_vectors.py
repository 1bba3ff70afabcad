from __future__ import annotations

import numpy as np
import pytest

from lagotto.base.text import terms
from lagotto.focus.topic.vectors import FOLDER, decode, encode, load_vectors


def likeness(one: str, other: str) -> float:
    table = load_vectors("en")
    first, second = table.rows(np.array([table.stems.index(terms(word)[0]) for word in (one, other)]))
    return float(first @ second)


@pytest.mark.parametrize(
    ("word", "like", "unlike"),
    [
        ("cricket", "tennis", "oxygen"),
        ("bird", "sparrow", "inflation"),
        ("religion", "church", "kernel"),
        ("encryption", "password", "rainfall"),
        ("physics", "quantum", "cheese"),
    ],
)
def test_words_of_like_meaning_lie_close(word: str, like: str, unlike: str) -> None:
    assert likeness(word, like) > likeness(word, unlike) + 0.1


def test_the_table_that_ships() -> None:
    table = load_vectors("en")
    assert len(table.stems) == len(set(table.stems)) == len(table.steps) > 40_000
    assert np.linalg.norm(table.rows(slice(None)), axis=1) == pytest.approx(1.0, abs=1e-5)
    assert load_vectors("en-GB").stems == table.stems


def test_it_is_small_and_says_whose_it_is() -> None:
    assert (FOLDER / "en.zst").stat().st_size < 6_000_000
    assert "Apache License 2.0" in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_a_language_without_vectors() -> None:
    assert load_vectors("xx").stems == []


def test_packed_and_unpacked() -> None:
    rows = np.array([[0.6, 0.8], [-1.0, 0.0], [0.0, 1.0]], np.float32)
    table = decode(encode(["a", "ü", "b"], rows))
    assert table.stems == ["a", "ü", "b"]
    assert table.rows(slice(None)) == pytest.approx(rows, abs=0.01)

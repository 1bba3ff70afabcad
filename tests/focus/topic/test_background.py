from __future__ import annotations

import subprocess
import sys

from lagotto.focus.topic.background import FOLDER, Background, decode, encode, load_background


def test_the_table_that_ships() -> None:
    table = load_background("en")
    assert table.documents > 10_000
    assert len(table.frequencies) > 40_000
    assert max(table.frequencies.values()) <= table.documents
    # Common words are common, words of a trade are not, stop words are not there at all.
    assert table.frequencies["use"] > 20 * table.frequencies["telescop"] > 0
    assert "the" not in table.frequencies


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 400_000


def test_it_is_read_once_and_for_all_tags_of_a_language() -> None:
    assert load_background("en") is load_background("en")
    assert load_background("en-GB").documents == load_background("en").documents


def test_a_language_without_a_table() -> None:
    assert load_background("xx") == Background()


def test_packed_and_unpacked() -> None:
    table = Background(10, {"b": 2, "a": 10, "ü": 1})
    assert decode(encode(table)) == table


def test_it_is_not_read_before_it_is_needed() -> None:
    program = "from lagotto.focus.topic import load_background; print(load_background.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"

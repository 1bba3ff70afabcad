"""Phrases as they are written on pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lagotto.harvest.subtopics.naming import LONGEST, PagePhrases, runs


def test_phrases_keep_their_spelling_and_share_their_stems() -> None:
    page = PagePhrases(
        "Wind Turbines", "A long line about wind turbines, and about one wind turbine alone.", "en"
    )
    assert page.written["wind", "turbin"] == {"Wind Turbines": 1, "wind turbines": 1, "wind turbine": 1}
    assert ("wind", "turbin") in page.titled & page.headed & page.running


def test_code_numbers_and_stop_words_are_no_phrases() -> None:
    text = (
        "int solve_all(const Matrix& a, double b[]);\nPublished 15 Oct 2026 in the proceedings of the society"
    )
    found = PagePhrases("", text, "en").written
    assert not {("oct",), ("solve_al",), ("proceed", "of"), ("of",)} & found.keys()
    assert ("societi",) in found


def test_short_lines_are_headings_unless_they_are_code() -> None:
    page = PagePhrases("", "Linear algebra\nvoid reset();", "en")
    assert ("linear", "algebra") in page.headed
    assert ("void",) not in page.headed


@given(st.text(max_size=300))
def test_any_text_has_phrases_of_one_to_three_words(text: str) -> None:
    for key, forms in PagePhrases(text, text, "en").written.items():
        assert len(key) >= 1
        assert all(1 <= len(form.split()) <= LONGEST for form in forms)
    assert all(word for run in runs(text) for word in run)

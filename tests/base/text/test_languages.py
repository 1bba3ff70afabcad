"""The language of running text, by its function words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.text import guess_language, tokens
from lagotto.base.text.stems import STOP_WORD_LANGUAGES

SENTENCES: dict[str, str] = json.loads((Path(__file__).parent / "sentences.json").read_text("utf-8"))


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_a_sentence_is_enough(language: str) -> None:
    assert guess_language(tokens(SENTENCES[language])) == language


def test_there_is_a_sentence_for_every_list() -> None:
    assert sorted(SENTENCES) == sorted(STOP_WORD_LANGUAGES)


def test_nothing_is_said_of_lists_of_names() -> None:
    assert guess_language(tokens("Berlin Paris Roma Madrid Lisboa Praha London Oslo 1990 1991")) == ""
    assert guess_language([]) == ""


@given(st.lists(st.text(max_size=5), max_size=2000))
def test_any_tokens_will_do(found: list[str]) -> None:
    assert guess_language(found) in ("", *STOP_WORD_LANGUAGES)

"""The language of a page."""

# ruff: noqa: RUF001 - sentences in other scripts look like mistakes in this one.

from __future__ import annotations

import pytest

from lagotto.base.text import tokens
from lagotto.parse.language import page_language

STORY = "The ship was built in the north and it sailed for many years until it was sold to another company."


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        ("de-AT", STORY, "de"),
        ("", STORY, "en"),
        ("{{ lang }}", STORY, "en"),
        ("", "Bonjour", ""),
        ("", "Это", ""),
        ("", "Przemysław Łódź", ""),
        (
            "",
            "Loď bola postavená na severe a plavila sa mnoho rokov, kým ju nepredali inej spoločnosti",
            "sk",
        ),
        ("", "Manual¶ Index¶ Reference¶ Tutorial¶ Options¶ Commands¶", ""),
        ("", "Корабель був побудований на півночі і плавав багато років, поки його не продали іншим", "uk"),
        ("", "Το πλοίο ναυπηγήθηκε στον βορρά και ταξίδεψε για πολλά χρόνια μέχρι που πουλήθηκε", "el"),
        ("", "船は北で造られ、売却されるまで何年も航海しました。とても美しい船でした。", "ja"),
    ],
)
def test_page_language(declared: str, text: str, language: str) -> None:
    assert page_language(declared, text, tokens(text)) == language

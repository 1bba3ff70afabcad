"""The main content of pages of the open web is found at least as well as it was."""

from __future__ import annotations

from pathlib import Path

from wcxb import by_type, f1, read_wcxb

from lagotto.parse.stored import to_text

EVERY = 5
FLOOR = 0.885
TYPE_FLOOR = 0.74
"""Mean F1 that was reached once, of all pages and of the worst type, by the model that is shipped."""


def test_main_content_of_the_open_web(lagotto_data: Path) -> None:
    """A part of the pages. The model has seen them: this tells broken code, not how good it is elsewhere."""
    scores = []
    for place, page in enumerate(read_wcxb(lagotto_data)):
        if place % EVERY == 0:
            scores.append((page.type, f1(to_text(page.html), page.main)))
    found = by_type(scores)
    assert found["mean"] >= FLOOR
    assert min(found.values()) >= TYPE_FLOOR, found

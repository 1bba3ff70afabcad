from __future__ import annotations

from itertools import cycle

import numpy as np

from lagotto.focus.strategies.scent.judge import Judge

NONE = np.zeros(0, np.int32)


def judged(hosts: list[str], shift: float = 0.6) -> np.ndarray:
    """Log odds of pages that name the heron ever more often, on these hosts by turns."""
    judge = Judge({"heron": 1.0}, shift=shift)
    for number, host in zip(range(40), cycle(hosts), strict=False):
        reading = judge.read({"heron": 1 + number, "water": 20, f"name{number}": 3}, [])
        judge.add(reading, 0.0, host=host)
    judge.fit(NONE, NONE)
    return judge.logits.rows


def test_a_page_is_judged_the_more_leniently_the_more_hosts_there_are() -> None:
    strict = judged(["a.example"], shift=0.0)
    one = judged(["a.example"])
    two = judged(["a.example", "b.example"])
    many = judged([f"{number}.example" for number in range(40)])
    assert strict.mean() < one.mean() < two.mean() < many.mean()
    assert 0 < (strict > 0).sum() <= (many > 0).sum() < 40


def test_a_page_read_by_other_words_is_learned_by_these() -> None:
    """Another worker has not heard of the change yet, and commits after it."""
    judge, late = Judge({"heron": 1.0}), Judge({"heron": 1.0})
    pages = [{"heron": 1 + number, "osprey": 2, f"name{number}": 3} for number in range(20)]
    for page in pages[:10]:
        judge.add(judge.read(page, []), 0.0)
    judge.set_words({"heron": 1.0, "osprey": 2.0})
    for page in pages[10:]:
        judge.add(late.read(page, []), 0.0)
    judge.fit(NONE, NONE)
    assert judge.corpus.words.shape == (20, judge.read(pages[0], []).words.shape[0])
    by_name = judge.corpus.words[:, 1]
    assert (by_name > 0).all(), "they name the new word"

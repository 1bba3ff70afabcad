"""The rule of judging again on frozen harvests: its chances hold, and its verdicts stay as good.

`scripts/make_judged_harvests.py` made them.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lagotto.focus.judging import Harvest, judge_again
from tests.lab.experiments.verdict_floors import Crawl, calibration_slope, outside

HARVESTS = Path(__file__).with_name("harvests.npz")
KINDS = {"f": np.float64, "u": np.int64, "b": np.bool_}


def judged_harvests() -> list[Crawl]:
    """All frozen harvests, judged by the rule as it is now."""
    crawls = []
    with np.load(HARVESTS) as file:
        for topic in dict.fromkeys(name.partition("/")[0] for name in file.files):
            arrays = {
                name.partition("/")[2]: file[name].astype(KINDS[file[name].dtype.kind])
                for name in file.files
                if name.startswith(f"{topic}/")
            }
            on_topic = arrays.pop("on_topic")
            arrays["weights"] = arrays["weights"].astype(np.float32)
            rejudged = judge_again(Harvest(**arrays))
            found = ~arrays["seeds"]
            crawls.append(Crawl(rejudged.relevance[found], rejudged.relevant[found], on_topic[found]))
    return crawls


def test_chances_hold_and_verdicts_stay_as_good() -> None:
    assert not outside("frozen harvests", judged_harvests())


@pytest.mark.parametrize("factor", [0.9 / 1.4, 2.2 / 1.4])
def test_chances_that_are_too_timid_or_too_sure_are_noticed(factor: float) -> None:
    stretched = [
        crawl._replace(relevance=1 / (1 + (1 / crawl.relevance - 1) ** factor)) for crawl in judged_harvests()
    ]
    assert "slope" in outside("frozen harvests", stretched)


def test_slope_tells_chances_that_are_too_sure() -> None:
    random = np.random.default_rng(0)
    true = random.normal(0, 1.5, (3, 2000))
    truth = random.random(true.shape) < 1 / (1 + np.exp(-true))
    slopes = [
        calibration_slope(
            [
                Crawl(1 / (1 + np.exp(-stretch * given - level)), np.zeros(0, bool), on_topic)
                for level, (given, on_topic) in enumerate(zip(true, truth, strict=True))
            ]
        )
        for stretch in (0.5, 1.0, 2.0)
    ]
    assert slopes == pytest.approx([2.0, 1.0, 0.5], rel=0.08)
    assert all(more > less for more, less in pairwise(slopes))

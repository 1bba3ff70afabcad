from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.judging.calibration import MOST, best_cut, expected_share, logit, offset_for, sigmoid
from lagotto.lab.experiments.measures import f1


def test_offset_brings_the_mean_to_the_share() -> None:
    log_odds = np.random.default_rng(0).normal(0, 3, 500)
    assert sigmoid(log_odds + offset_for(log_odds, 0.17)).mean() == pytest.approx(0.17, abs=1e-4)


def test_expected_share_is_below_what_the_model_claims_and_grows_with_it() -> None:
    shares = [expected_share(np.full(10, chance)) for chance in (0.1, 0.3, 0.5, 0.7)]
    assert shares == sorted(shares)
    assert all(share < chance for share, chance in zip(shares, (0.1, 0.3, 0.5, 0.7), strict=True))
    assert expected_share(np.zeros(0)) == 0.0


def test_no_harvest_is_taken_to_be_on_topic_altogether() -> None:
    """The one page of forty that has no sign of the topic is not lifted with the others."""
    chance = np.full(40, 0.97)
    share = expected_share(np.full(40, 0.999))
    assert share == MOST
    log_odds = logit(np.append(chance, 0.001))
    assert sigmoid(log_odds + offset_for(log_odds, share))[-1] < 0.5


def test_log_odds_and_back() -> None:
    chances = np.array([0.01, 0.5, 0.9])
    assert sigmoid(logit(chances)) == pytest.approx(chances)
    assert np.isfinite(logit(np.array([0.0, 1.0]))).all()


def test_cut_has_the_best_f1_when_chances_hold() -> None:
    random = np.random.default_rng(0)
    chances = random.beta(0.4, 1.2, 4000)
    hits = random.random(4000) < chances
    ours = f1(hits, chances >= best_cut(chances))
    best = max(f1(hits, chances >= cut) for cut in np.linspace(0.05, 0.95, 91))
    assert ours > best - 0.01
    assert best_cut(np.zeros(0)) == 0.5

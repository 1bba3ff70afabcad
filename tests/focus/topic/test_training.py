from __future__ import annotations

import math

import numpy as np
import pytest

from lagotto.base.errors import InputError
from lagotto.focus.topic.network import Settings
from lagotto.focus.topic.training import _back_propagate, evaluate, train

SOLAR = [{"solar": 2, "panel": 1, "page": n + 1} for n in range(8)]
FOOTBALL = [{"goal": 2, "ball": 1, "page": n + 1} for n in range(8)]


def test_one_update_by_hand() -> None:
    """Two inputs of which one is active, one hidden unit, two outputs: the paper's lines 4 to 18 on paper."""
    hidden, hidden_bias = np.array([[0.4], [0.9]]), np.array([0.1])
    output, output_bias = np.array([[0.3, -0.2]]), np.array([0.05, -0.05])
    sample = (np.array([0]), np.array([1.0]))
    rate = 0.5

    def unit(net: float) -> float:
        return 1 / (1 + math.exp(-net))

    h = unit(0.4 * 1.0 + 0.1)
    o = [unit(h * 0.3 + 0.05), unit(h * -0.2 - 0.05)]
    target = [1.0, 0.0]
    err_o = [o[k] * (1 - o[k]) * (target[k] - o[k]) for k in range(2)]
    err_h = h * (1 - h) * (err_o[0] * 0.3 + err_o[1] * -0.2)

    weights = [hidden, hidden_bias, output, output_bias]
    curve = _back_propagate(
        weights,
        [sample],
        np.array([target]),
        Settings(rate=rate, max_epochs=1, target_mse=0.0),
        np.random.default_rng(0),
        None,
    )
    assert output[0] == pytest.approx([0.3 + rate * err_o[0] * h, -0.2 + rate * err_o[1] * h])
    assert output_bias == pytest.approx([0.05 + rate * err_o[0], -0.05 + rate * err_o[1]])
    assert hidden[0, 0] == pytest.approx(0.4 + rate * err_h * 1.0)
    assert hidden[1, 0] == 0.9  # its input is 0
    assert hidden_bias[0] == pytest.approx(0.1 + rate * err_h)
    assert curve == [pytest.approx(((1 - o[0]) ** 2 + o[1] ** 2) / 2)]


def test_learns_until_the_error_is_small_enough() -> None:
    network = train("solar", SOLAR, FOOTBALL, settings=Settings(target_mse=0.01, max_epochs=2000))
    assert network.curve[-1] <= 0.01 < network.curve[-2]
    assert network.relevance({"solar": 1}) > 0.8
    assert network.relevance({"goal": 1}) < 0.2
    assert set(network.features) == {"solar", "panel", "goal", "ball"}


def test_stops_at_the_cap() -> None:
    seen: list[tuple[int, float]] = []
    network = train(
        "x", SOLAR, FOOTBALL, settings=Settings(max_epochs=3), progress=lambda *step: seen.append(step)
    )
    assert seen == [(1, network.curve[0]), (2, network.curve[1]), (3, network.curve[2])]


def test_contradicting_examples_end_too() -> None:
    same = [{"solar": 1}, {"power": 1}] * 3
    other = [{"solar": 1}, {"wind": 1}] * 3
    network = train("x", same, other, settings=Settings(max_epochs=30), held_out=0)
    assert len(network.curve) == 30


def test_the_same_seed_gives_the_same_network() -> None:
    settings = Settings(max_epochs=5, seed=3)
    one, two = (train("x", SOLAR, FOOTBALL, settings=settings) for _ in range(2))
    other = train("x", SOLAR, FOOTBALL, settings=Settings(max_epochs=5, seed=4))
    assert one.to_bytes() == two.to_bytes()
    assert one.curve != other.curve


def test_examples_held_out_are_judged_not_learned() -> None:
    # Each relevant page has a word of its own; only the one they share can be learned and told again.
    relevant = [{"solar": 1, f"only{n}": 2} for n in range(8)]
    network = train("x", relevant, FOOTBALL, settings=Settings(max_epochs=200), held_out=0.25)
    assert network.held_out is not None
    assert network.held_out.total == 4
    assert network.held_out.accuracy == 1.0


def test_pieces_of_one_page_are_held_out_together() -> None:
    yes, no = ([[{f"{kind}{n}": 1}] * 5 for n in range(8)] for kind in ("solar", "goal"))
    network = train("x", [*yes, []], no, settings=Settings(max_epochs=1), held_out=0.25)
    # Each page has a word of its own: those learned are words of pages that were not held out.
    assert len(network.features) == 6 + 6
    assert network.held_out is not None
    assert network.held_out.total == (2 + 2) * 5


def test_too_few_examples_give_none_away() -> None:
    network = train("x", SOLAR[:2], FOOTBALL[:2], settings=Settings(max_epochs=1))
    assert network.held_out is None


def test_evaluate_counts_verdicts() -> None:
    network = train("x", SOLAR, FOOTBALL, settings=Settings(max_epochs=300), held_out=0)
    counted = evaluate(network, [{"solar": 1}, {"goal": 1}], [{"goal": 1}, {"ball": 1}, {"solar": 3}])
    assert (counted.true_positive, counted.false_negative) == (1, 1)
    assert (counted.false_positive, counted.true_negative) == (1, 2)


@pytest.mark.parametrize(
    ("relevant", "irrelevant", "settings", "held_out", "why"),
    [
        ([], FOOTBALL, Settings(), 0.25, "relevant and irrelevant"),
        (SOLAR, [], Settings(), 0.25, "relevant and irrelevant"),
        (SOLAR, [[], []], Settings(), 0.25, "relevant and irrelevant"),
        ([{"a": 1}], [{"b": 1}], Settings(), 0.25, "no word tells"),
        (SOLAR, FOOTBALL, Settings(hidden=0), 0.25, "from 1 up"),
        (SOLAR, FOOTBALL, Settings(rate=0.0), 0.25, "learning rate"),
        (SOLAR, FOOTBALL, Settings(rate=math.nan), 0.25, "learning rate"),
        (SOLAR, FOOTBALL, Settings(), 1.0, "held out"),
    ],
)
def test_senseless_training_is_refused(
    relevant: list[dict[str, int]],
    irrelevant: list[dict[str, int]],
    settings: Settings,
    held_out: float,
    why: str,
) -> None:
    with pytest.raises(InputError, match=why):
        train("x", relevant, irrelevant, settings=settings, held_out=held_out)

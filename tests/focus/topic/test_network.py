from __future__ import annotations

import io
import math

import numpy as np
import pytest

from lagotto.base.errors import InputError
from lagotto.focus.topic.network import Confusion, Network, Settings, encode, sigmoid


def small() -> Network:
    weights = [
        np.array([[1.0, -1.0], [0.5, 2.0], [-3.0, 0.0]]),
        np.array([0.1, -0.2]),
        np.array([[1.0, -1.0], [-2.0, 0.5]]),
        np.array([0.0, 0.3]),
    ]
    return Network(
        "small",
        ["solar", "power", "goal"],
        weights,
        settings=Settings(hidden=2, seed=7),
        language="de",
        trained_on="contexts",
        curve=[0.5, 0.25],
        held_out=Confusion(1, 2, 3, 4),
    )


def by_hand(inputs: list[float]) -> float:
    network = small()

    def unit(net: float) -> float:
        return 1 / (1 + math.exp(-net))

    hidden = [
        unit(sum(x * network.hidden[i, j] for i, x in enumerate(inputs)) + network.hidden_bias[j])
        for j in range(2)
    ]
    out = [
        unit(sum(h * network.output[i, j] for i, h in enumerate(hidden)) + network.output_bias[j])
        for j in range(2)
    ]
    return out[0] / (out[0] + out[1])


def test_forward_pass_by_hand() -> None:
    length = math.sqrt((1 + math.log(3)) ** 2 + 1)
    inputs = [(1 + math.log(3)) / length, 1 / length, 0.0]
    assert small().relevance({"solar": 3, "power": 1, "weather": 5}) == pytest.approx(by_hand(inputs))


def test_a_text_without_features_is_judged_by_the_biases() -> None:
    assert (
        small().relevance({}) == small().relevance({"weather": 5}) == pytest.approx(by_hand([0.0, 0.0, 0.0]))
    )


def test_inputs_are_of_unit_length() -> None:
    index = {"a": 0, "b": 1}
    for counts in ({"a": 1}, {"a": 100, "b": 3}, {"a": 1, "b": 1, "x": 50}):
        _, values = encode(counts, index)
        assert math.hypot(*values) == pytest.approx(1.0)


def test_saved_without_pickle_and_loaded_exactly() -> None:
    network = small()
    stored = network.to_bytes()
    with np.load(io.BytesIO(stored), allow_pickle=False) as archive:
        assert set(archive.files) == {"about", "hidden", "hidden_bias", "output", "output_bias"}
    again = Network.from_bytes(stored)
    assert (again.name, again.features, again.settings) == (network.name, network.features, network.settings)
    assert (again.language, again.trained_on) == ("de", "contexts")
    assert (again.curve, again.held_out) == ((0.5, 0.25), Confusion(1, 2, 3, 4))
    counts = {"solar": 3, "goal": 1}
    assert again.relevance(counts) == network.relevance(counts)


def changed(**parts: np.ndarray) -> bytes:
    with np.load(io.BytesIO(small().to_bytes())) as archive:
        kept = {name: archive[name] for name in archive.files}
    stored = io.BytesIO()
    np.savez(stored, **{**kept, **parts})
    return stored.getvalue()


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"nonsense",
        b"PK\x03\x04 broken zip",
        small().to_bytes()[:-200],
        changed(about=np.frombuffer(b"{}", np.uint8)),
        changed(hidden=np.zeros((2, 2))),
        changed(hidden_bias=np.zeros((2, 1))),
        changed(output=np.full((2, 2), np.nan)),
        changed(output=np.array([["a", "b"], ["c", "d"]])),
    ],
)
def test_damaged_files_are_refused(stored: bytes) -> None:
    with pytest.raises(InputError, match="saved network"):
        Network.from_bytes(stored)


def test_pickles_are_never_opened() -> None:
    with pytest.raises(InputError, match="no saved network"):
        Network.from_bytes(changed(output=np.array([[print, print]], dtype=object)))


def test_the_sigmoid_does_not_overflow() -> None:
    assert sigmoid(np.array([-1e9, 0.0, 1e9])) == pytest.approx([0.0, 0.5, 1.0])

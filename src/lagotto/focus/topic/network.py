"""The network of `neural`: three layers of sigmoid units that tell relevant texts from irrelevant ones.

Inputs are the features chosen by mutual information, outputs the two classes. A text enters as the unit
vector of 1 + ln(count) over its features: a page and the few words around a link are then of one scale.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.focus.topic.features import FEATURES


class Confusion(Struct, frozen=True):
    """How often a verdict was right and wrong, by kind."""

    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int

    @classmethod
    def of(cls, verdicts: Iterable[tuple[bool, bool]]) -> Confusion:
        """Count pairs of what a page is and what it was judged to be."""
        cells = {(True, True): 0, (False, True): 0, (True, False): 0, (False, False): 0}
        for verdict in verdicts:
            cells[verdict] += 1
        return cls(*cells.values())

    @property
    def total(self) -> int:
        """Pages judged."""
        return self.true_positive + self.false_positive + self.false_negative + self.true_negative

    @property
    def precision(self) -> float:
        """Relevant among those judged relevant; 0 when none was."""
        return _share(self.true_positive, self.true_positive + self.false_positive)

    @property
    def recall(self) -> float:
        """Judged relevant among the relevant; 0 when there are none."""
        return _share(self.true_positive, self.true_positive + self.false_negative)

    @property
    def accuracy(self) -> float:
        """Judged rightly among all."""
        return _share(self.true_positive + self.true_negative, self.total)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


RELEVANT, IRRELEVANT = 0, 1
MAX_EPOCHS = {"pages": 2000, "contexts": 30}
"""Epochs at most, by what a network is trained on. A set of a few pages needs many hundred to reach the
paper's error; contexts are far more than pages, and after 30 epochs they taught nothing more."""
_BATCH = 256
"""Texts that go through the network at once."""


class Settings(Struct, frozen=True):
    """What a network was trained with; the paper's values where it gives them."""

    hidden: int = 50
    rate: float = 0.1
    target_mse: float = 0.001
    max_epochs: int = MAX_EPOCHS["pages"]
    features: int = FEATURES
    seed: int = 0


class Network:
    """A trained network; `relevance` applies it."""

    def __init__(
        self,
        name: str,
        features: Sequence[str],
        weights: Sequence[np.ndarray],
        *,
        settings: Settings | None = None,
        language: str = "en",
        trained_on: str = "pages",
        curve: Sequence[float] = (),
        held_out: Confusion | None = None,
    ) -> None:
        self.name = name
        self.features = tuple(features)
        self.hidden, self.hidden_bias, self.output, self.output_bias = weights
        self.settings = settings or Settings()
        self.language = language
        self.trained_on = trained_on
        """`pages`, or `contexts` when it learned from words around links."""
        self.curve = tuple(curve)
        """Mean square error after each epoch."""
        self.held_out = held_out
        """Verdicts on examples that it did not learn from."""
        self._index = {feature: index for index, feature in enumerate(self.features)}

    @property
    def reached_target(self) -> bool:
        """Whether training ended because the error was small enough, not because of the cap on epochs."""
        return bool(self.curve) and self.curve[-1] <= self.settings.target_mse

    def relevance(self, counts: Mapping[str, int]) -> float:
        """Output for a text, 0 to 1: the relevant unit's share of both outputs."""
        return float(self._outputs([encode(counts, self._index)])[0])

    def alone(self) -> dict[str, float]:
        """Feature -> output for a text that holds nothing else, highest first."""
        found = {feature: self.relevance({feature: 1}) for feature in self.features}
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def _outputs(self, vectors: Sequence[tuple[list[int], list[float]]]) -> np.ndarray:
        inputs = np.zeros((len(vectors), len(self.features)))
        for row, (indices, values) in enumerate(vectors):
            inputs[row, indices] = values
        outputs = sigmoid(sigmoid(inputs @ self.hidden + self.hidden_bias) @ self.output + self.output_bias)
        relevance: np.ndarray = outputs[:, RELEVANT] / outputs.sum(axis=1)
        return relevance

    def to_bytes(self) -> bytes:
        """The network as an npz archive, without pickle."""
        about = _About(
            name=self.name,
            features=self.features,
            settings=self.settings,
            language=self.language,
            trained_on=self.trained_on,
            curve=self.curve,
            held_out=self.held_out,
        )
        archive = io.BytesIO()
        np.savez_compressed(
            archive,
            about=np.frombuffer(msgspec.json.encode(about), np.uint8),
            hidden=self.hidden,
            hidden_bias=self.hidden_bias,
            output=self.output,
            output_bias=self.output_bias,
        )
        return archive.getvalue()

    @classmethod
    def from_bytes(cls, stored: bytes) -> Network:
        """Take back what `to_bytes` gave; refuses archives that do not fit together."""
        try:
            with np.load(io.BytesIO(stored), allow_pickle=False) as archive:
                about = msgspec.json.decode(archive["about"].tobytes(), type=_About)
                weights = [archive[name] for name in ("hidden", "hidden_bias", "output", "output_bias")]
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, msgspec.DecodeError) as error:
            raise InputError(f"this is no saved network: {error}") from error
        units = weights[1].shape[0] if weights[1].ndim == 1 else -1
        shapes = [(len(about.features), units), (units,), (units, 2), (2,)]
        fits = [part.shape for part in weights] == shapes and all(
            part.dtype == np.float64 for part in weights
        )
        if not fits or not all(np.isfinite(part).all() for part in weights):
            raise InputError("this saved network is damaged: its parts do not fit together")
        return cls(weights=weights, **msgspec.structs.asdict(about))


class _About(Struct):
    name: str
    features: tuple[str, ...]
    settings: Settings
    language: str = "en"
    trained_on: str = "pages"
    curve: tuple[float, ...] = ()
    held_out: Confusion | None = None


def encode(counts: Mapping[str, int], index: Mapping[str, int]) -> tuple[list[int], list[float]]:
    """A text as indices and values of its features."""
    found = sorted((index[term], 1.0 + math.log(count)) for term, count in counts.items() if term in index)
    length = math.hypot(*(value for _, value in found))
    return [place for place, _ in found], [value / length for _, value in found]


def sigmoid(net: np.ndarray) -> np.ndarray:
    """1 / (1 + e^-x), safe for inputs of any size."""
    out: np.ndarray = 1.0 / (1.0 + np.exp(-np.clip(net, -500.0, 500.0)))
    return out

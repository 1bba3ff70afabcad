"""The network of `neural` applied to all links of a page at once, and the words that moved it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

import numpy as np

from lagotto.focus.topic.network import IRRELEVANT, RELEVANT, Network, sigmoid

SHOWN_FEATURES = 8


class Reading(NamedTuple):
    """What the network makes of a page."""

    output: float
    strongest: dict[str, float]
    """Features with the greatest influence on the output, by its slope at this page."""


class ContextReader:
    """Reads many short texts in one pass through the network.

    A text in which the network knows no word has the output 0: there is nothing that it could judge.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self._index = {feature: place for place, feature in enumerate(network.features)}

    def outputs(self, texts: Sequence[Sequence[str]]) -> np.ndarray:
        """Output for each text, given by its terms, as `Network.relevance` gives it."""
        index, width = self._index, len(self._index)
        places = [
            row * width + index[term] for row, terms in enumerate(texts) for term in terms if term in index
        ]
        outputs = np.zeros(len(texts))
        if not places:
            return outputs
        # A context has a handful of the features, so only those are multiplied.
        found, counts = np.unique(places, return_counts=True)
        rows, features = np.divmod(found, width)
        values = 1.0 + np.log(counts)
        values /= np.sqrt(np.bincount(rows, values * values))[rows]
        read, starts = np.unique(rows, return_index=True)
        nets = np.add.reduceat(values[:, np.newaxis] * self.network.hidden[features], starts)
        outputs[read] = self._forward(nets)[1]
        return outputs

    def read(self, counts: Mapping[str, int]) -> Reading:
        """Output for a page, with its strongest features."""
        present = [(place, feature) for feature, place in self._index.items() if feature in counts]
        if not present:
            return Reading(0.0, {})
        places = [place for place, _ in present]
        values = 1.0 + np.log([counts[feature] for _, feature in present])
        values /= np.sqrt(values @ values)
        weights = self.network.hidden[places]
        hidden, output = self._forward((values @ weights)[np.newaxis])
        slopes = weights @ self._slope(hidden[0])
        influence = zip((values * slopes).tolist(), (feature for _, feature in present), strict=True)
        strongest = nlargest(SHOWN_FEATURES, influence, key=lambda pair: abs(pair[0]))
        return Reading(float(output[0]), {feature: share for share, feature in strongest})

    def _forward(self, nets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Hidden layer and output for texts, given by what reaches the hidden layer."""
        hidden = sigmoid(nets + self.network.hidden_bias)
        out = sigmoid(hidden @ self.network.output + self.network.output_bias)
        return hidden, out[:, RELEVANT] / out.sum(axis=1)

    def _slope(self, hidden: np.ndarray) -> np.ndarray:
        """How the output yes / (yes + no) grows with what reaches the hidden layer.

        Each sigmoid unit passes on o(1 - o) of what reaches it.
        """
        out = sigmoid(hidden @ self.network.output + self.network.output_bias)
        yes, no = out[RELEVANT], out[IRRELEVANT]
        by_output = np.zeros(2)
        by_output[RELEVANT] = yes * (1 - yes) * no / (yes + no) ** 2
        by_output[IRRELEVANT] = -no * (1 - no) * yes / (yes + no) ** 2
        slope: np.ndarray = hidden * (1 - hidden) * (self.network.output @ by_output)
        return slope

"""The network of `neural` applied to all links of a page at once, and the words that moved it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest

import numpy as np

from lagotto.topic.network import IRRELEVANT, RELEVANT, Network, sigmoid

SHOWN_FEATURES = 8


class ContextReader:
    """Reads many short texts in one pass through the network."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self._index = {feature: place for place, feature in enumerate(network.features)}

    def outputs(self, texts: Sequence[Sequence[str]]) -> np.ndarray:
        """Output for each text, given by its terms: `Network.relevance`, but 0 where it knows no term."""
        index, width = self._index, len(self._index)
        places = [
            row * width + index[term] for row, terms in enumerate(texts) for term in terms if term in index
        ]
        counts = np.bincount(places, minlength=len(texts) * width).reshape(len(texts), width)
        present = counts > 0
        values = np.log(counts, where=present, out=np.zeros(counts.shape)) + present
        norms = np.sqrt(np.einsum("ij,ij->i", values, values))
        values /= np.where(norms, norms, 1.0)[:, np.newaxis]
        network = self.network
        hidden = sigmoid(values @ network.hidden + network.hidden_bias)
        out = sigmoid(hidden @ network.output + network.output_bias)
        return np.where(norms > 0, out[:, RELEVANT] / out.sum(axis=1), 0.0)

    def strongest(self, counts: Mapping[str, int]) -> dict[str, float]:
        """Features of a text with the greatest influence on the output, by its slope at this text."""
        network = self.network
        present = [(self._index[term], term) for term in counts if term in self._index]
        if not present:
            return {}
        places = [place for place, _ in present]
        values = 1.0 + np.log([counts[term] for _, term in present])
        values /= np.sqrt(values @ values)
        hidden = sigmoid(values @ network.hidden[places] + network.hidden_bias)
        yes, no = sigmoid(hidden @ network.output + network.output_bias)[[RELEVANT, IRRELEVANT]]
        # d(yes / (yes + no)): each sigmoid unit passes on o(1 - o) of what reaches it.
        by_output = np.zeros(2)
        by_output[RELEVANT] = yes * (1 - yes) * no / (yes + no) ** 2
        by_output[IRRELEVANT] = -no * (1 - no) * yes / (yes + no) ** 2
        slope = network.hidden[places] @ (hidden * (1 - hidden) * (network.output @ by_output))
        shares = zip((values * slope).tolist(), (term for _, term in present), strict=True)
        return {
            term: share for share, term in nlargest(SHOWN_FEATURES, shares, key=lambda pair: abs(pair[0]))
        }

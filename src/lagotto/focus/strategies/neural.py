"""`neural`: a back-propagation network reads the context of every link.

Paper input: relevant and irrelevant example pages, or a network trained before. A link whose anchor and
surrounding words the network takes as relevant enters a queue, first in, first out; the others are dropped.
Traps: the network is trained on pages and applied to contexts a hundred times shorter; `train_on="contexts"`
cuts the examples into pieces as long as a context. For a context without a word that the network knows, one
in five, its output would be its bias alone: such a link is negative.
Words and seeds only: all links of the seeds are followed, of other pages those with one of the words in
anchor, context or URL, until the first pages are there. The network is then trained on them: seeds and most
similar pages against the least similar.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import Struct, msgpack

from lagotto.base.errors import InputError
from lagotto.base.records import DROPPED, Judgement, Lease, LinkScores, Page
from lagotto.focus.strategies.base import Strategy, check_positive, check_range
from lagotto.focus.strategies.parts.first_pages import FirstPage, FirstPages
from lagotto.focus.strategies.parts.words import VERDICT, Edits, focus_table, judge_by, words_of
from lagotto.focus.topic import MAX_EPOCHS, Document, Network, Settings, Topic, WeightTable, pieces, train
from lagotto.focus.topic.features import FEATURES
from lagotto.focus.topic.network import IRRELEVANT, RELEVANT, sigmoid

QUEUED = 0.0
"""The score of every link that is followed: with equal scores the frontier is a queue."""
EXCERPT = 1200
"""Characters of an example that are cut into contexts, some ten of them; more only take longer to learn."""
SHOWN_FEATURES = 8
"""Strongest features of a page that `explain` shows."""

MAX_HIDDEN = 10_000
"""Hidden nodes at most: the memory grows with them."""


class PageReading(NamedTuple):
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

    def read(self, counts: Mapping[str, int]) -> PageReading:
        """Output for a page, with its strongest features."""
        present = [(place, feature) for feature, place in self._index.items() if feature in counts]
        if not present:
            return PageReading(0.0, {})
        places = [place for place, _ in present]
        values = 1.0 + np.log([counts[feature] for _, feature in present])
        values /= np.sqrt(values @ values)
        weights = self.network.hidden[places]
        hidden, output = self._forward((values @ weights)[np.newaxis])
        slopes = weights @ self._slope(hidden[0])
        influence = zip((values * slopes).tolist(), (feature for _, feature in present), strict=True)
        strongest = nlargest(SHOWN_FEATURES, influence, key=lambda pair: abs(pair[0]))
        return PageReading(float(output[0]), {feature: share for share, feature in strongest})

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


class Neural(Strategy):
    """Follows links whose context the network takes as relevant, in the order they were found."""

    name: ClassVar[str] = "neural"
    summary: ClassVar[str] = (
        "a back-propagation network labels every link by its context; first in, first out"
    )
    meanings: ClassVar[Mapping[str, str]] = {
        "hidden": "hidden nodes",
        "rate": "learning rate",
        "mse": "mean square error at which training ends",
        "max_epochs": "epochs at most; 0: 2,000 for pages, 30 for contexts",
        "features": "words chosen by mutual information",
        "threshold": "output above which a link is positive and a page relevant",
        "train_on": "pages, or contexts: examples cut into pieces as long as the context of a link",
        "first_pages": "pages to train on where there are no examples",
        "seed": "seed of the random weights",
    }
    follows: ClassVar[str] = (
        "all links of seeds, and of other pages those whose words its network, or the topic before it is "
        "trained, takes as relevant"
    )
    thresholds: ClassVar[tuple[str, ...]] = ("threshold",)
    link_parts: ClassVar[tuple[str, ...]] = ("output", "label")

    def __init__(
        self,
        topic: Topic,
        *,
        hidden: int = 50,
        rate: float = 0.1,
        mse: float = 0.001,
        max_epochs: int = 0,
        features: int = FEATURES,
        threshold: float = 0.5,
        train_on: Literal["pages", "contexts"] = "pages",
        first_pages: int = 50,
        seed: int = 0,
    ) -> None:
        check_range(self.name, 1, MAX_HIDDEN, hidden=hidden)
        check_range(self.name, 1, features=features, first_pages=first_pages)
        check_range(self.name, 0, mse=mse, max_epochs=max_epochs, seed=seed)
        check_positive(self.name, rate=rate)
        self.topic = topic
        self.hidden = hidden
        self.rate = rate
        self.mse = mse
        self.max_epochs = max_epochs
        """0: as many as `train_on` needs."""
        self.features = features
        self.threshold = threshold
        self.train_on = train_on
        self.first_pages = first_pages
        self.seed = seed
        self._reader: ContextReader | None = None
        self._first = FirstPages(0)
        self._words = WeightTable({})
        self._edits = Edits(topic.language)
        if topic.network is not None:
            self._reader = ContextReader(topic.network)
        elif topic.relevant and topic.irrelevant:
            self._reader = ContextReader(self._trained(topic.relevant, topic.irrelevant))
        else:
            self._first = FirstPages(first_pages)
            self._words = focus_table(topic)

    @property
    def network(self) -> Network | None:
        """The network in use, None while there is none."""
        return self._reader.network if self._reader is not None else None

    def judge(self, page: Page) -> Judgement:
        """The network's output for the page; before it is trained, cosine with the words."""
        if self._reader is None:
            return judge_by(self._words, page, VERDICT)
        output, strongest = self._reader.read(page.terms)
        parts = {"output": output, **{f"term:{term}": share for term, share in strongest.items()}}
        return Judgement(output, output > self.threshold, parts)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """The network's output for each link's context; label 1 (followed) or -1 (dropped)."""
        if self._reader is None:
            outputs = self._outputs_by_words(page, lease)
            positive = outputs > 0
        else:
            outputs = self._reader.outputs([link.anchor_terms + link.context_terms for link in page.links])
            positive = outputs > self.threshold
        parts = np.column_stack([outputs, np.where(positive, 1.0, -1.0)])
        return LinkScores(np.where(positive, QUEUED, DROPPED), parts)

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        """The first pages, as long as there is no network."""
        if self._first.enough:
            return None
        excerpt = EXCERPT if self.train_on == "contexts" else 0
        return msgpack.encode(FirstPage.of(page, lease, judgement.relevance, excerpt))

    def edit(self, words: Mapping[str, float]) -> bytes | None:
        """Possible until the network is trained; it has learned from pages, and has no words to change."""
        return self._edits.sample(words, self._words) if self._reader is None else None

    def learn(self, sample: bytes) -> None:
        """Train when the last of the first pages has come; take in changed words."""
        if (words := words_of(sample)) is not None:
            self._edits.add(words)
            self._words = self._edits.apply(self._words)
            return
        first = self._first
        first.add(msgpack.decode(sample, type=FirstPage))
        if not first.enough:
            return
        relevant = self.topic.relevant or [page.document for page in first.on_topic()]
        irrelevant = self.topic.irrelevant or [page.document for page in first.off_topic()]
        try:
            self._reader = ContextReader(self._trained(relevant, irrelevant))
        except InputError:
            # No word separates these pages: go on with the words until there are twice as many.
            first.wanted *= 2
        else:
            first.close()

    def save(self) -> bytes:
        """The network, or the pages that it will be trained on."""
        network = self._reader.network.to_bytes() if self._reader is not None else None
        return msgpack.encode(_State(network, self._first.save(), self._edits.save()))

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
        saved = msgpack.decode(state, type=_State)
        self._reader = ContextReader(Network.from_bytes(saved.network)) if saved.network else None
        self._first.load(saved.first)
        self._edits.load(saved.edits)
        if self._reader is None:
            self._words = self._edits.apply(self._words)

    def _outputs_by_words(self, page: Page, lease: Lease) -> np.ndarray:
        if lease.depth == 0:
            return np.ones(len(page.links))
        texts = [link.anchor_terms + link.context_terms + link.url_terms for link in page.links]
        return np.array([self._words.cosine_of(terms) for terms in texts], np.float64)

    def _trained(self, relevant: Sequence[Document], irrelevant: Sequence[Document]) -> Network:
        settings = Settings(
            hidden=self.hidden,
            rate=self.rate,
            target_mse=self.mse,
            max_epochs=self.max_epochs or MAX_EPOCHS[self.train_on],
            features=self.features,
            seed=self.seed,
        )
        return train(
            "crawl",
            self._texts(relevant),
            self._texts(irrelevant),
            settings=settings,
            held_out=0.0,
            language=self.topic.language,
            trained_on=self.train_on,
        )

    def _texts(self, documents: Iterable[Document]) -> list[dict[str, int]]:
        """Term counts of the examples, or of their pieces."""
        if self.train_on == "pages":
            return [document.terms for document in documents]
        texts = (document.text[:EXCERPT] for document in documents)
        return [piece for text in texts for piece in pieces(text, self.topic.language)]


class _State(Struct, array_like=True):
    network: bytes | None
    first: bytes
    edits: bytes

"""What `bfs`, `best-first` and `priority` share: pages are judged by words, which a user may change."""

from __future__ import annotations

from collections.abc import Mapping

from lagotto.strategies.base import Strategy
from lagotto.strategies.parts.edits import Edits, words_of
from lagotto.strategies.parts.focus import focus_table
from lagotto.topic import Topic, WeightTable


class ByWords(Strategy):
    """Holds the table of the topic's words; it changes by what a user says, and by nothing else."""

    topic: Topic
    table: WeightTable

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.table = self._given = focus_table(topic)
        self._edits = Edits(self.table.language)

    def edit(self, words: Mapping[str, float]) -> bytes:
        """Changed words count for the pages that come from now on."""
        return self._edits.sample(words, self._given)

    def learn(self, sample: bytes) -> None:
        """Take in changed words."""
        if (words := words_of(sample)) is not None:
            self._edits.add(words)
            self.table = self._edits.apply(self._given)

    def save(self) -> bytes:
        """The user's changes."""
        return self._edits.save()

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
        self._edits.load(state)
        self.table = self._edits.apply(self._given)

"""`scent`: the default strategy. It needs a few words, or example pages, and no threshold."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from msgspec import msgpack, structs

from lagotto.records import Judgement, Lease, LinkScores, Page
from lagotto.strategies.base import Revision, Strategy
from lagotto.strategies.checks import check_positive, check_range
from lagotto.strategies.focus import focus_table
from lagotto.strategies.scent import sampling, state
from lagotto.strategies.scent.apprentice import Apprentice
from lagotto.strategies.scent.corpus import Reading
from lagotto.strategies.scent.exploration import Exploration
from lagotto.strategies.scent.features import NAMES
from lagotto.strategies.scent.judge import Judge
from lagotto.strategies.scent.linktable import LinkTable
from lagotto.strategies.scent.progress import Figures, Progress
from lagotto.strategies.scent.sampling import Feedback, Lost, Moved, PageSample, Pending
from lagotto.topic import Topic
from lagotto.urls import checksum, host_of

MAX_WORDS = 20
"""Words that a topic made of example pages is asked for by."""


class Scent(Strategy):
    """Judges pages by text and links, and learns from its own fetches which links are worth following."""

    name: ClassVar[str] = "scent"
    summary: ClassVar[str] = (
        "learns which pages are relevant and which links lead to them; no threshold to set"
    )
    link_parts: ClassVar[tuple[str, ...]] = (*NAMES, "exploration")
    clearly_better: ClassVar[float] = 1.0

    def __init__(
        self,
        topic: Topic,
        *,
        prefer: Literal["pages", "hosts"] = "pages",
        meaning: bool = True,
        shift: float = 0.6,
        context: float = 0.0,
        learning: float = 0.7,
        ridge: float = 1.0,
        tunnelling: float = 0.4,
        exploration: float = 0.03,
    ) -> None:
        check_range(self.name, 0, 1, learning=learning, tunnelling=tunnelling, exploration=exploration)
        check_range(self.name, 0, context=context)
        check_positive(self.name, ridge=ridge)
        self.topic = topic
        self.prefer = prefer
        self.meaning = meaning
        self.shift = shift
        self.context = context
        self.learning = learning
        self.ridge = ridge
        self.tunnelling = tunnelling
        self.exploration = exploration
        words = dict(list(focus_table(topic).items())[:MAX_WORDS])
        self._judge = Judge(words, language=topic.language, shift=shift, by_meaning=meaning)
        self._links = LinkTable()
        self._exploration = Exploration(exploration)
        self._apprentice = Apprentice(
            self._exploration,
            learning=learning,
            ridge=ridge,
            context=context,
            tunnelling=tunnelling,
            spread=0.5 if prefer == "hosts" else 0.0,
        )
        self.progress = Progress()
        self._samples = Pending()
        self._page: Page | None = None
        self._scores: LinkScores | None = None
        self._judge.lean(*([page.terms for page in pages] for pages in (topic.relevant, topic.irrelevant)))
        for document in topic.relevant:
            self._add_marked(document.terms, 1.0)
        for document in topic.irrelevant:
            self._add_marked(document.terms, -1.0)

    def judge(self, page: Page) -> Judgement:
        """Relevance by the page's text, the pages that link to it, and what its links promised.

        Of a page that the user has marked it is what the user said.
        """
        reading = self._read(page)
        id = checksum(page.url)
        text = self._judge.weigh(reading, self._links.parents(id))
        promise = self._apprentice.promise(self._links, id)
        relevance = self._said(id)
        if relevance is None:
            relevance = self._apprentice.relevance(text, promise)
        parts = {"text": text, "promise": promise, **self._judge.word_parts(reading)}
        return Judgement(relevance, relevance >= 0.5, parts)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """Log odds that a link leads to a relevant page, with what each feature adds to them."""
        self._read(page)
        parts = self._apprentice.preview(self._links, self._new, judgement.relevance, self._judge)
        self._scores = LinkScores(parts.sum(axis=1), parts.astype(np.float32))
        return self._scores

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes:
        """The page as the judge reads it, and its links."""
        reading = self._read(page)
        scores = self._scores or self.score(page, judgement, lease)
        parts = reading, self._new, scores.values
        return self._samples.put(sampling.pack(page, lease, judgement, *parts), parts)

    def lost(self, lease: Lease) -> bytes:
        """A link that brought no page promises nothing any more, and those like it less."""
        return msgpack.encode(Lost(lease.id))

    def moved(self, lease: Lease, target: str) -> bytes:
        """A link that is redirected is a link to where it leads."""
        return msgpack.encode(Moved(lease.id, checksum(target), host_of(target)))

    def learn(self, sample: bytes) -> None:
        """Take in a page or a user's mark; fit again and look at all links anew when it is time."""
        self._page = None
        if (kept := self._samples.take(sample)) is not None:
            self._take_page(*kept)
            return
        taken = sampling.decode(sample)
        if isinstance(taken, Feedback):
            self._take_feedback(taken)
        elif isinstance(taken, Lost):
            self._links.lose(taken.id)
            self._exploration.lost(taken.id)
        elif isinstance(taken, Moved):
            self._follow(taken)
        else:
            self._take_page(taken, sampling.unpack(taken))

    def _take_page(self, taken: PageSample, parts: sampling.Parts) -> None:
        reading, new, scores = parts
        ids = dict.fromkeys((taken.lease, taken.id))
        promise = self._apprentice.promise(self._links, taken.lease)
        number = self._judge.add(reading, taken.text, taken.mark, taken.host)
        self._apprentice.note(promise, taken.relevance, scores, seed=taken.mark > 0)
        self._links.add(number, new, scores)
        self._links.fetched(ids, number)
        self.progress.note(number, taken.relevance, taken.promise, taken.host)
        self._exploration.note(taken.lease, taken.relevance, taken.promise)
        self._refit()
        if (row := self._exploration.pick(self._links, self.progress.pages)) is not None:
            self._apprentice.lift(self._links, self._judge, row)

    def revisions(self) -> list[Revision]:
        """Links anywhere in the frontier whose scores changed with the last look at all of them."""
        return self._apprentice.take_revisions()

    def feedback(self, terms: dict[str, int], on: bool, url: str = "") -> bytes:
        """The sample by which a page that a user marked as on or off topic is learned."""
        id = checksum(url) if url else 0
        host = host_of(url) if url else ""
        return msgpack.encode(Feedback(id=id, terms=terms, mark=1.0 if on else -1.0, host=host))

    def save(self) -> bytes:
        """All that was learned."""
        return state.pack(self._judge, self._links, self._apprentice, self.progress, self._exploration)

    def load(self, state_bytes: bytes) -> None:
        """Take back what `save` gave."""
        state.unpack(
            state_bytes, self._judge, self._links, self._apprentice, self.progress, self._exploration
        )

    def figures(self) -> Figures:
        """How the crawl is doing, by the strategy's own judgement."""
        return self.progress.figures(self._apprentice.outlook(self._links), self._exploration)

    def outlook(self) -> dict[str, float]:
        """The same figures by name, and how often what was learned had to be taken back."""
        return {**structs.asdict(self.figures()), "rolled_back": self._judge.rolled_back}

    def stop_reason(self) -> str:
        """Why the crawl should stop, as a sentence; empty while it should go on."""
        recent = self._exploration.recent
        return self.progress.stop_reason(self.figures().expected, sum(recent) / max(1, len(recent)))

    def _read(self, page: Page) -> Reading:
        """Read a page and its links once for `judge`, `score` and `sample`, which follow each other."""
        if page is not self._page:
            self._page, self._scores = page, None
            self._reading = self._judge.read(page.terms, page.title_terms, page.hashes)
            self._new = sampling.new_links(page, self._judge)
        return self._reading

    def _add_marked(self, terms: dict[str, int], mark: float) -> int:
        reading = self._judge.read(terms, [])
        self._apprentice.note(0.0, 0.5 + 0.5 * mark, np.zeros(0), seed=True)
        return self._judge.add(reading, 3.0 * mark, mark)

    def _said(self, id: int) -> float | None:
        """Relevance of a page by the user's own word, if there is one."""
        number = self._links.page_of(id)
        return None if number is None else self._judge.said.get(number)

    def _follow(self, redirect: Moved) -> None:
        if self._links.move(redirect.id, redirect.target, redirect.host):
            self._exploration.moved(redirect.id, redirect.target)
        else:
            self._exploration.lost(redirect.id)

    def _take_feedback(self, mark: Feedback) -> None:
        number = self._links.page_of(mark.id)
        if number is None:
            number = self._add_marked(mark.terms, mark.mark)
            if mark.id:
                self._links.name(mark.id, number)
        self._judge.mark(number, mark.mark, self._judge.read(mark.terms, []))
        self.progress.correct(number, self._judge.said[number], mark.host)
        self._refit(now=True)

    def _refit(self, *, now: bool = False) -> None:
        if now or self._judge.due:
            self._judge.fit(*self._links.evidence.edges())
        if now or self._apprentice.due(self._judge.pages):
            self._apprentice.look(self._links, self._judge)

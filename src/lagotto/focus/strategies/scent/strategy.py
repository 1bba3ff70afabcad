"""`scent`: the default strategy. It needs a few words, or example pages, and no threshold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import msgpack, structs

from lagotto.base.records import Judgement, Lease, LinkScores, Page
from lagotto.base.urls import checksum, host_of
from lagotto.focus.strategies.base import Revision, Strategy, check_positive, check_range
from lagotto.focus.strategies.parts.words import Edits, focus_table, words_of
from lagotto.focus.strategies.scent import samples as sampling
from lagotto.focus.strategies.scent import snapshot as state
from lagotto.focus.strategies.scent.corpus import Reading
from lagotto.focus.strategies.scent.drought import Drought
from lagotto.focus.strategies.scent.exploration import Exploration
from lagotto.focus.strategies.scent.features import NAMES
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.strategies.scent.link_model import LinkModel, with_bonus
from lagotto.focus.strategies.scent.link_table import LinkTable, NewLinks
from lagotto.focus.strategies.scent.live import Live, Signs
from lagotto.focus.strategies.scent.progress import Figures, Progress
from lagotto.focus.strategies.scent.samples import Feedback, Lost, Moved, PageSample, Pending
from lagotto.focus.strategies.scent.words import names_a_word, shown_table
from lagotto.focus.topic import Topic

if TYPE_CHECKING:
    from lagotto.focus.judging import FetchedPage, Rejudged
    from lagotto.focus.judging.encoder import Encoder
    from lagotto.focus.strategies.scent.link_model import Likeness

MAX_WORDS = 20
"""Heaviest words of a topic that are used."""
_MARKS = {True: 1.0, False: -1.0, None: 0.0}
"""What a user says of a page, as it is learned."""


class Scent(Strategy):
    """Judges pages by text and links, and learns from its own fetches which links are worth following."""

    name: ClassVar[str] = "scent"
    summary: ClassVar[str] = (
        "learns which pages are relevant and which links lead to them; no threshold to set"
    )
    meanings: ClassVar[Mapping[str, str]] = {
        "prefer": "pages: as many relevant pages as possible; hosts: from as many hosts as possible",
        "meaning": "whether word vectors and the thesaurus help to judge",
        "shift": "how lenient the judge is where many hosts are met",
        "context": "how much the score of the links to a page counts in its relevance",
        "learning": "share of what was learned about links beside what is known beforehand, 0 to 1",
        "ridge": "how strongly learned link weights are pulled to those known beforehand",
        "tunnelling": "worth of a page as a way to others, as a share of what its best links promise, 0 to 1",
        "exploration": "share of the first fetches that go to links picked at random, 0 to 1",
    }
    link_parts: ClassVar[tuple[str, ...]] = (*NAMES, "little-known host", "exploration")
    reads_link_words: ClassVar[bool] = False
    clearly_better: ClassVar[float] = 1.0
    positive_above: ClassVar[float] = 0.0  # Scores are log odds.

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
        self._words = focus_table(topic)
        self._edits = Edits(topic.language)
        self._judge = Judge(self._words_in_force(), language=topic.language, shift=shift, by_meaning=meaning)
        self._links = LinkTable()
        self._live = Live(self._judge.shares())
        self._exploration = Exploration(exploration)
        self._drought = Drought()
        self._link_model = LinkModel(
            self._exploration,
            self._drought,
            learning=learning,
            ridge=ridge,
            context=context,
            tunnelling=tunnelling,
            spread=0.5 if prefer == "hosts" else 0.0,
        )
        self.progress = Progress()
        self._samples = Pending()
        self._last = _LastPage()
        self._likeness: Likeness | None = None
        self._lean()
        for document in topic.relevant:
            self._add_marked(document.terms, 1.0)
        for document in topic.irrelevant:
            self._add_marked(document.terms, -1.0)
        self._show_table()

    def judge(self, page: Page) -> Judgement:
        """Relevance by the page's text, the pages that link to it, and its own signs of the words.

        It is at the level of the last fit; the models learn from the judge's own split of the pages, which is
        in the parts. Of a page that the user has marked it is what the user said.
        """
        reading = self._read(page).reading
        id = checksum(page.url)
        text = self._judge.weigh(reading, self._links.parents(id))
        promise = self._link_model.promise(self._links, id)
        signs = self._live.signs_of(
            page, self._judge.about(reading), promise + self._link_model.base_log_odds
        )
        known = {"signs": signs.log_odds, "coverage": signs.coverage}
        parts = {"text": text, "promise": promise, **known, **self._judge.word_parts(reading)}
        relevance = self._said(id)
        if relevance is not None:
            return Judgement(relevance, relevance >= 0.5, parts)
        relevance = self._live.relevance(self._link_model.log_odds(text, promise), signs.log_odds)
        return Judgement(relevance, relevance >= self._live.cut, parts)

    def _learned(self, page: Page, judgement: Judgement) -> float:
        """Relevance that the models learn from: by the judge's own split, or as the user said."""
        said = self._said(checksum(page.url))
        if said is not None:
            return said
        return self._link_model.relevance(judgement.parts["text"], judgement.parts["promise"])

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """Log odds that a link leads to a relevant page, with the part of each feature."""
        read = self._read(page)
        learned = self._learned(page, judgement)
        if read.scores is None or read.relevance != learned:
            parts = self._link_model.preview(self._links, read.links, learned, self._judge)
            read.predicted = scores = parts.sum(axis=1)
            if self._drought.depth:
                bonus = self._bonus(read.links, scores)
                parts, scores = with_bonus(parts, bonus), scores + bonus
            read.scores = LinkScores(scores, parts.astype(np.float32))
            read.relevance = learned
        return read.scores

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes:
        """The page as the judge reads it, and its links."""
        read = self._read(page)
        self.score(page, judgement, lease)
        parts = read.reading, read.links, read.predicted
        learned = self._learned(page, judgement)
        return self._samples.put(sampling.pack(page, lease, judgement, learned, *parts), parts)

    def lost(self, lease: Lease) -> bytes:
        """The sample of a link that brought no page."""
        return msgpack.encode(Lost(lease.id))

    def moved(self, lease: Lease, target: str) -> bytes:
        """The sample of a link that is redirected."""
        return msgpack.encode(Moved(lease.id, checksum(target), host_of(target)))

    def learn(self, sample: bytes) -> None:
        """Take in a page, a mark or changed words; fit and score all links again when it is due."""
        self._last = _LastPage()
        if (words := words_of(sample)) is not None:
            self._take_words(words)
            return
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
        promise = self._link_model.promise(self._links, taken.lease)
        number = self._judge.add(reading, taken.text, taken.mark, taken.host)
        self._link_model.record(promise, taken.relevance, scores, seed=taken.seed)
        self._links.add(number, new, scores, self._bonus(new, scores) if self._drought.depth else None)
        self._links.fetched(ids, number)
        self._live.add(Signs(taken.signs, taken.coverage))
        self.progress.record(number, taken.shown, taken.promise, taken.host)
        host = self._links.number_of_host(taken.host)
        self._drought.read(host, len(self._links.host_names))
        self._exploration.record(taken.lease, taken.shown, taken.promise)
        self._refit()
        if (row := self._exploration.pick(self._links, self.progress.pages)) is not None:
            self._link_model.lift(self._links, self._judge, row)

    def revisions(self) -> list[Revision]:
        """Queued links whose scores changed with the last revision."""
        return self._link_model.take_revisions()

    def edit(self, words: Mapping[str, float]) -> bytes:
        """The sample of changed words; links are ranked anew by them."""
        return self._edits.sample(words, self._words)

    def feedback(self, terms: dict[str, int], on: bool | None, url: str = "") -> bytes:
        """The sample of a page that a user marked as on or off topic, or not any more."""
        id = checksum(url) if url else 0
        host = host_of(url) if url else ""
        return msgpack.encode(Feedback(id=id, terms=terms, mark=_MARKS[on], host=host))

    def use_encoder(self, encoder: Encoder) -> bool:
        """Add what a sentence encoder says of anchors to what the word vectors say."""
        from lagotto.focus.strategies.scent.link_model import Likeness

        if self.meaning and self.topic.words:
            self._likeness = Likeness(encoder, self.topic.words)
        return self._likeness is not None

    def rejudge(self, pages: Iterable[FetchedPage], encoder: Encoder | None = None) -> Rejudged | None:
        """Judge all fetched pages again by what is known now, learning nothing; None of too few pages."""
        from lagotto.focus.strategies.scent.rejudging import rejudge

        return rejudge(self._judge, self._links, pages, encoder)

    def save(self) -> bytes:
        """All that was learned."""
        edits = self._edits.save()
        return state.pack(
            self._judge,
            self._links,
            self._link_model,
            self.progress,
            self._exploration,
            self._drought,
            self._live,
            edits,
        )

    def load(self, state_bytes: bytes) -> None:
        """Restore what `save` returned."""
        plain, arrays = state.read(state_bytes)
        if plain.edits:
            self._likeness = None
            self._edits.load(plain.edits)
            self._judge.set_words(self._words_in_force())
            self._live.words = self._judge.shares()
            self._lean()
        state.restore(
            plain, arrays, self._judge, self._links, self._link_model, self.progress, self._exploration
        )
        state.restore_live(plain, arrays, self._live)
        state.restore_drought(plain, arrays, self._drought)
        self._last = _LastPage()
        self._show_table()

    def figures(self) -> Figures:
        """How the crawl is doing, by the strategy's own judgement."""
        shown = self.progress.by_number(self._judge.pages)
        return self.progress.figures(self._link_model.outlook(self._links, shown), self._exploration)

    def outlook(self) -> dict[str, float]:
        """The same figures by name, since which page the hosts at hand are exhausted, and roll-backs."""
        return {
            **structs.asdict(self.figures()),
            "exhausted": self._drought.exhausted,
            "rolled_back": self._judge.rolled_back,
        }

    def stop_reason(self) -> str:
        """Why the crawl should stop, as a sentence; empty while it should go on."""
        recent = self._exploration.recent
        return self.progress.stop_reason(self.figures().expected, sum(recent) / max(1, len(recent)))

    def _read(self, page: Page) -> _Read:
        """The page and its links as the models see them; remembered for the calls that follow."""
        if page is not self._last.page:
            reading = self._judge.read(page.terms, page.title_terms, page.hashes)
            links = sampling.new_links(page, self._judge)
            if self._likeness is not None:
                self._likeness.add_to(links, page.links)
            self._last = _LastPage(page, _Read(reading, links))
        assert self._last.read is not None
        return self._last.read

    def _show_table(self) -> None:
        judge = self._judge
        self.table = shown_table(judge.term_weights, judge.words.weights, self.topic.language, judge.pages)

    def _add_marked(self, terms: dict[str, int], mark: float) -> int:
        reading = self._judge.read(terms, [])
        self._link_model.record(0.0, 0.5 + 0.5 * mark, np.zeros(0), seed=True)
        self._live.add(Signs())
        return self._judge.add(reading, 3.0 * mark, mark)

    def _said(self, id: int) -> float | None:
        """Relevance that the user gave a page, if any."""
        number = self._links.page_of(id)
        return None if number is None else self._judge.said.get(number)

    def _follow(self, redirect: Moved) -> None:
        if self._links.move(redirect.id, redirect.target, redirect.host):
            self._exploration.moved(redirect.id, redirect.target)
        else:
            self._exploration.lost(redirect.id)

    def _words_in_force(self) -> dict[str, float]:
        """The words to look for: those that the user changed, and the heaviest others."""
        table = self._edits.apply(self._words)
        changed = {term: table[term] for term in self._edits.weights if term in table}
        return dict(list({**changed, **table}.items())[:MAX_WORDS])

    def _lean(self) -> None:
        if not self.topic.relevant:
            return  # Counter-examples alone refine nothing.
        examples = (self.topic.relevant, self.topic.irrelevant)
        self._judge.lean(*([page.terms for page in pages] for pages in examples))

    def _take_words(self, words: Mapping[str, float]) -> None:
        # What was encoded is not kept, so pages read before could not be compared with the new words.
        self._likeness = None
        self._edits.add(words)
        self._judge.set_words(self._words_in_force())
        self._live.words = self._judge.shares()
        self._lean()
        self._links.set_anchor_similarity(self._judge.similarity_of_anchors)
        if self._judge.pages:
            self._refit(now=True)

    def _take_feedback(self, mark: Feedback) -> None:
        number = self._links.page_of(mark.id)
        if not mark.mark:
            self._take_back(number, mark)
            return
        if number is None:
            number = self._add_marked(mark.terms, mark.mark)
            if mark.id:
                self._links.name(mark.id, number)
        self._judge.mark(number, mark.mark, self._judge.read(mark.terms, []))
        self.progress.correct(number, self._judge.said[number], mark.host)
        self._refit(now=True)

    def _take_back(self, number: int | None, mark: Feedback) -> None:
        """Forget a user's mark; a seed that names one of the words is an example without it, too."""
        if number is None:
            return
        named = names_a_word(self._judge.read(mark.terms, []).words)
        self._judge.unmark(number, 1.0 if self._link_model.seeds.rows[number] and named else 0.0)
        self._refit(now=True)
        log_odds = self._link_model.all_log_odds(self._judge.logits.rows).item(number)
        shown = self._live.relevance(log_odds, self._live.signs.rows.item(number))
        self.progress.correct(number, shown, mark.host)

    def _refit(self, *, now: bool = False) -> None:
        if now or self._judge.due:
            self._judge.fit(*self._links.evidence.edges())
            self._draw_level()
            self._show_table()
        if now or self._link_model.due(self._judge):
            relevances = self.progress.relevances.rows
            self._drought.measure(relevances, self._links.asked_of_hosts())
            self._link_model.revise(self._links, self._judge)

    def _bonus(self, new: NewLinks, scores: np.ndarray) -> np.ndarray:
        return self._drought.of(self._links.host_numbers(new.hosts), scores)

    def _draw_level(self) -> None:
        """Draw the level anew, and count all pages by it."""
        learned = self._link_model.all_log_odds(self._judge.logits.rows)
        shown = self._live.draw(learned, self._link_model.seeds.rows)
        for number, relevance in self._judge.said.items():
            shown[number] = relevance
        self.progress.revise(shown)


class _Read:
    """What was computed of a page; it holds until the next sample is learned."""

    __slots__ = ("links", "predicted", "reading", "relevance", "scores")

    def __init__(self, reading: Reading, links: NewLinks) -> None:
        self.reading = reading
        self.links = links
        self.scores: LinkScores | None = None
        self.predicted = np.zeros(0)
        """What the link model predicts, as log odds; scores may have a bonus beside."""
        self.relevance = 0.0
        """Relevance of the page that the scores were computed with."""


class _LastPage(NamedTuple):
    """The page that was read last: `judge`, `score` and `sample` mostly get the same one."""

    page: Page | None = None
    read: _Read | None = None

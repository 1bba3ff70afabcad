"""The page judge: learns from the user's words, from text and from links which pages are relevant.

1. Every page gets a word score: does it name the user's words, is it about the same, does it use similar
   words?
2. The word scores are split into two soft groups. A ridge regression learns to predict a page's group from
   its terms and from the pages that link to it. Pages that the user marked (seeds, examples,
   counter-examples, feedback) are learned as marked, whatever their word scores.
3. A second regression learns the mean of the word scores' groups and of the first one's prediction.
4. Its prediction, split into two soft groups again, is the relevance. So a page that uses other words than
   the user's is found by its neighbours, in text or in links, that do.

The judge does not drift: every fit starts from new word scores and sees no earlier verdict, and a second
regression that departs from the word scores is rolled back. Where many hosts are met, the judge is more
lenient, since the pages of a relevant site name the topic less often than the page that leads there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np

from lagotto.base.sparse import SparseRows
from lagotto.focus.strategies.scent import evidence as pairs
from lagotto.focus.strategies.scent import regression as ridge
from lagotto.focus.strategies.scent.buckets import ByTerm, Texts, heaviest
from lagotto.focus.strategies.scent.columns import Column
from lagotto.focus.strategies.scent.corpus import Corpus, Reading
from lagotto.focus.strategies.scent.frequencies import Frequencies
from lagotto.focus.strategies.scent.split import Split, damped, evidence, sigmoid, split
from lagotto.focus.strategies.scent.term_tables import Table, TermRows
from lagotto.focus.strategies.scent.words import BY_MEANING, USUAL, Words, scale_of

MAX_TERMS = 120
"""Heaviest terms of a page that are kept."""
MAX_PAGES = 4000
"""Pages that a fit uses; beyond that the older ones are thinned out."""
GROWTH = 0.13
"""A fit is due when the number of pages has grown by this share."""
SEED_SHARE = 0.3
"""Weight of a marked page in the crawl's own document frequencies: it was chosen, not found."""
PARENTS = 0.5
"""Length of a page's vector of linking pages; that of its terms is 1."""
RIDGE = 6.0
MARK = 3.0
"""Value that a marked page is learned as, in standard deviations."""
SECOND = 0.5
"""Weight of the first regression's prediction in what the second one learns."""
AGREEMENT = 0.6
"""Smallest correlation with the word scores at which the second regression is used."""
FEW = 6
"""With fewer pages than this, the word scores decide without a regression."""
ONE_HOST = 0.5
"""Share of its leniency that the judge loses on a web of one host."""
SHARPNESS = 6.0
SOFT_SHARPNESS = 4.0
"""Sharpness of the split of word scores, which are the rougher signal."""


TERM = np.dtype([("weight", np.float32), ("square", np.float32)])
"""For a term: idf times its weight, and idf²."""


class Lexicon(NamedTuple):
    """Weights of terms in short texts."""

    asked: ByTerm
    """A `TERM` for each term, weighted by the user's words and their meaning."""
    learned: ByTerm
    """The same, weighted by the judge's regression."""


def cosines(totals: np.ndarray) -> np.ndarray:
    """Cosines of short texts, given the sums over their terms in a lexicon; damped for common words."""
    return np.asarray(totals["weight"] / (np.sqrt(totals["square"]) + 1.0))


class Judge:
    """Computes the relevance of pages from text and links, and learns from all pages read so far."""

    def __init__(
        self,
        words: Mapping[str, float],
        *,
        language: str = "en",
        shift: float = 0.6,
        by_meaning: bool = True,
    ) -> None:
        self._terms = TermRows()
        self.words = Words(words, language, self._terms, by_meaning=by_meaning)
        self.language = language
        self.by_meaning = by_meaning
        self.shift = shift
        self.frequencies = Frequencies(language, self._terms)
        self.corpus = Corpus(len(words) + BY_MEANING, self._terms)
        """Pages that the next fit uses."""
        self.marks: list[float] = []
        """Mark of every page: 1 or -1 if the user marked it, else 0."""
        self.said: dict[int, float] = {}
        """Page -> relevance that the user gave it, 1 or 0."""
        self.logits = Column(np.float64)
        """Log odds of every page, by text and links."""
        self.pages_of_host: Counter[str] = Counter()
        self.fitted_at = 0
        self.evidence = 1.0
        """How sure it is, from 0 to 1, that the crawl has met the topic, as of the last fit.

        Any page marked as relevant is enough: an example, a seed that names a word, or the user's feedback.
        """
        self.rolled_back = 0
        """Number of fits whose second regression had drifted."""
        self.scale = USUAL
        self._query = Table(self._terms, np.float32)
        self._ask()
        self.term_weights = self._query.copy()
        """Weights of the regression by term; before the first fit those of the user's words."""
        self.parent_weights = np.zeros(0)
        self.dual = np.zeros(0)
        self.level = Split(0.3, 0.1)
        usual = self.frequencies.rarity.other
        unlisted = np.array((0.0, usual * usual), TERM)
        self._asked, self._learned = (Table(self._terms, TERM, unlisted) for _ in Lexicon._fields)
        self.lexicon = Lexicon(self._asked, self._learned)
        self._write_lexicon(self._terms.listed)

    def read(self, counts: Mapping[str, int], titled: list[str], hashes: bytes = b"") -> Reading:
        """What is kept of a page, given its term counts, title terms and, if known, their hashes."""
        found, weights = heaviest(counts, titled, self.frequencies.rarity, MAX_TERMS, hashes)
        values = weights * self.frequencies.rarity.take(found)
        return Reading(found, weights, self.words.signs(counts, titled, found, values))

    def lean(self, relevant: Iterable[Mapping[str, int]], irrelevant: Iterable[Mapping[str, int]]) -> None:
        """Refine the meaning of the user's words by example pages, given by their term counts."""
        self.words.lean(
            [self._heaviest(counts) for counts in relevant], [self._heaviest(counts) for counts in irrelevant]
        )
        self._ask()
        self._write_lexicon(self._terms.listed)

    def set_words(self, words: Mapping[str, float]) -> None:
        """Look for other words, also in what is kept of the pages read; a fit must follow."""
        self.words = Words(words, self.language, self._terms, by_meaning=self.by_meaning)
        rarity = self.frequencies.rarity
        signs = [
            self.words.signs_of_terms(found, levels, levels * rarity.take(found))
            for found, levels in self.corpus.readings()
        ]
        self.corpus.set_words(np.array(signs).reshape(len(signs), len(words) + BY_MEANING))
        self._query = Table(self._terms, np.float32)
        self.scale = USUAL
        self._ask()
        if self.fitted_at < FEW:
            self.term_weights = self._query.copy()
        self._write_lexicon(self._terms.listed)

    def weigh(self, reading: Reading, parents: list[int]) -> float:
        """Log odds of a page by its text and the pages that link to it."""
        terms, weights = self.lexicon.learned.take(reading.buckets), reading.weights
        length = sqrt(float(weights * weights @ terms["square"])) or 1.0
        if self.fitted_at < FEW:
            cosines, signs = self._cosine(reading, length), reading.words[np.newaxis]
            score = float(self._word_scores(cosines, signs)[0])
        else:
            score = float(weights @ terms["weight"]) / length
            known = [parent for parent in parents if parent < len(self.parent_weights)]
            if known:
                score += PARENTS * sum(map(self.parent_weights.item, known)) / sqrt(len(parents) + 1.0)
        logit = self.level.logit(score)
        if self.evidence >= 1.0:
            return logit
        signs = reading.words[np.newaxis]
        present = self.words.presence(self._cosine(reading, length), signs, self.frequencies.rarity)
        return float(damped(np.array([logit]), present, self.evidence)[0])

    def add(self, reading: Reading, logit: float, mark: float = 0.0, host: str = "") -> int:
        """Add a page; returns its number."""
        number = self.pages
        if host:
            self.pages_of_host[host] += 1
        self.corpus.add(number, self._by_these_words(reading))
        self.marks.append(mark)
        self.logits.append(logit)
        if len(self.corpus) > MAX_PAGES:
            self._thin_out()
        return number

    def _by_these_words(self, reading: Reading) -> Reading:
        """A reading made before the words changed, with the signs of these; others as they are.

        Another worker may read a page by the old words and commit it after the change.
        """
        if len(reading.words) == len(self.words.weights) + BY_MEANING:
            return reading
        found, levels = reading.buckets, reading.weights
        signs = self.words.signs_of_terms(found, levels, levels * self.frequencies.rarity.take(found))
        return reading._replace(words=signs)

    def unmark(self, number: int, mark: float) -> None:
        """Forget what the user said of a page; `mark` is what it has without that."""
        self.marks[number] = mark
        self.said.pop(number, None)

    def mark(self, number: int, mark: float, reading: Reading) -> None:
        """Mark a page as on (1) or off (-1) topic; `reading` is used if the page was thinned out."""
        self.marks[number] = mark
        self.said[number] = 0.5 + 0.5 * mark
        if number in self.corpus.kept:
            return
        at = self.corpus.insert(number, reading)
        if at < len(self.dual):
            self.dual = np.insert(self.dual, at, 0.0)

    @property
    def pages(self) -> int:
        """How many pages were read."""
        return len(self.marks)

    @property
    def due(self) -> bool:
        """Whether enough pages have come since the last fit."""
        return self.pages - self.fitted_at >= max(1.0, GROWTH * min(self.fitted_at, MAX_PAGES))

    def fit(self, children: np.ndarray, parents: np.ndarray) -> None:
        """Learn from all pages kept; link i leads from page `parents[i]` to page `children[i]`."""
        kept, signs = self.corpus.kept, self.corpus.words
        marks = np.array([self.marks[number] for number in kept.tolist()])
        self.fitted_at = self.pages
        gone = self._take_frequencies(marks)
        met = self.frequencies.met
        texts = self._matrix()
        cosines = texts.times(self._query[met])
        present = self.words.presence(cosines, signs, self.frequencies.rarity)
        self.evidence = evidence(present, marks)
        shift = self.shift * (1.0 - ONE_HOST * self._one_host())
        if len(kept) < FEW:
            word_scores = self._word_scores(cosines, signs)
            self.level = split(word_scores, shift=shift, sharpness=SHARPNESS)
            self._set_logits(damped(self.level.logits(word_scores), present, self.evidence))
            self._write_lexicon(gone, self.words.buckets, met)
            return
        self.scale = scale_of(self._word_parts(cosines, signs))
        word_scores = self._word_scores(cosines, signs)
        graph = ridge.graph(*self._among_kept(children, parents), len(kept), PARENTS)
        by_words = _two_groups(word_scores, shift)
        regression = ridge.Regression(texts, graph, RIDGE)
        found = regression.solve(_as_marked(by_words, marks), regression.start(self.dual))
        by_both = (1 - SECOND) * by_words + SECOND * _two_groups(found.predicted, shift)
        second = regression.solve(_as_marked(by_both, marks), found)
        if _correlation(second.predicted, by_words) >= AGREEMENT:
            found = second
        else:
            self.rolled_back += 1
        self.dual = found.dual
        # Before the first regression the user's words had weights, also those that are on no page.
        self.term_weights[gone] = self.term_weights[self.words.buckets] = 0.0
        self.term_weights[met] = found.term_weights
        self._write_lexicon(gone, self.words.buckets, met)
        self.parent_weights = np.zeros(self.pages)
        self.parent_weights[kept] = found.node_weights
        # Marked pages are fitted to extreme values. They alone would be the upper group.
        unmarked = found.predicted[marks == 0]
        others = unmarked if len(unmarked) >= FEW else found.predicted
        self.level = split(others, shift=shift, sharpness=SHARPNESS)
        self._set_logits(damped(self.level.logits(found.predicted), present, self.evidence))

    def similarity(self, texts: Texts) -> np.ndarray:
        """Cosine of short texts with the user's words and their meaning."""
        return cosines(pairs.stretch_sums(self.lexicon.asked.take(texts.terms), texts.starts))

    def similarity_of_anchors(self, anchors: np.ndarray) -> np.ndarray:
        """The same of anchors, a row of buckets each."""
        return cosines(pairs.row_sums(self.lexicon.asked.take(anchors)))

    def about(self, reading: Reading) -> float | None:
        """How much the page is about the same as the user's words; None without word vectors."""
        return float(reading.words[-BY_MEANING]) or None

    def shares(self) -> dict[str, float]:
        """Each word's share of all the user's words, by weight and rarity."""
        words = self.words.weights
        rarity = self.frequencies.rarity[self.words.buckets].tolist()
        weights = [weight * rare for weight, rare in zip(words.values(), rarity, strict=True)]
        total = sum(weights) or 1.0
        return {word: weight / total for word, weight in zip(words, weights, strict=True)}

    def word_parts(self, reading: Reading) -> dict[str, float]:
        """The page's similarity to the user's words, part by part, for `explain`."""
        return self.words.found_in(reading.words)

    def set_weights(self, terms: np.ndarray, term_weights: np.ndarray, parent_weights: np.ndarray) -> None:
        """Restore the weights of an earlier fit; its frequencies must be restored before."""
        self._ask()
        self.term_weights = Table(self._terms, np.float32)
        self.term_weights[terms] = term_weights
        self.parent_weights = parent_weights
        self._write_lexicon(self._terms.listed)

    def _heaviest(self, counts: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
        found, weights = heaviest(counts, (), self.frequencies.rarity, MAX_TERMS)
        return found, weights * self.frequencies.rarity[found]

    def _one_host(self) -> float:
        """Chance that two fetched pages are on the same host: 1 on a web of one host."""
        total = self.pages_of_host.total()
        return sum(n * n for n in self.pages_of_host.values()) / total**2 if total else 1.0

    def _write_lexicon(self, *changed: np.ndarray) -> None:
        """Update terms whose idf or weight may have changed."""
        for terms in changed:
            idf = self.frequencies.idf[terms]
            rows = np.empty(len(idf), TERM)
            rows["square"] = idf * idf
            rows["weight"] = idf * self.words.short_query(self._query, terms)
            self._asked[terms] = rows
            rows["weight"] = idf * self.term_weights[terms]
            self._learned[terms] = rows

    def _set_logits(self, of_kept: np.ndarray) -> None:
        self.logits.rows[self.corpus.kept] = of_kept

    def _cosine(self, reading: Reading, length: float) -> np.ndarray:
        """Cosine of one page with the user's words, given the length of its vector."""
        idf = self.frequencies.idf[reading.buckets]
        return np.array([reading.weights * idf @ self._query[reading.buckets] / length])

    def _matrix(self) -> SparseRows:
        """Unit vectors of the pages kept, a row each, with a column for each term met."""
        met = self.frequencies.met
        values = self.corpus.vectors(self.frequencies.idf[met])
        return SparseRows(self.corpus.places(), values, self.corpus.lengths, len(met))

    def _take_frequencies(self, marks: np.ndarray) -> np.ndarray:
        """Update document frequencies; returns the buckets of terms that are on no page any more."""
        weights = np.where(marks != 0, SEED_SHARE, 1.0)
        shares = self.corpus.counts(weights) / weights.sum()
        gone = self.frequencies.set_own(self.corpus.met.rows.copy(), shares)
        self._ask()
        return gone

    def _ask(self) -> None:
        self.words.ask(self._query, self.frequencies.idf)

    def _word_parts(self, cosines: np.ndarray, signs: np.ndarray) -> np.ndarray:
        return self.words.parts(cosines, signs, self.frequencies.idf)

    def _word_scores(self, cosines: np.ndarray, signs: np.ndarray) -> np.ndarray:
        return self.words.scores(self._word_parts(cosines, signs), self.scale)

    def _among_kept(self, children: np.ndarray, parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        places = np.full(self.pages, -1)
        places[self.corpus.kept] = np.arange(len(self.corpus.kept))
        child, parent = places[children], places[parents]
        both = (child >= 0) & (parent >= 0)
        return child[both], parent[both]

    def _thin_out(self) -> None:
        """Remove every second unmarked page of the older half."""
        kept = self.corpus.kept
        marked = np.array([self.marks[number] != 0 for number in kept.tolist()])
        older = np.arange(len(kept)) < len(kept) // 2
        going = older & ~marked & (np.arange(len(kept)) % 2 == 1)
        self.dual = np.append(self.dual, np.zeros(len(kept) - len(self.dual)))[~going]
        self.corpus.leave_out(going)


def _two_groups(scores: np.ndarray, shift: float) -> np.ndarray:
    """Soft membership in the upper of two groups, standardised."""
    upper = sigmoid(split(scores, shift=shift, sharpness=SOFT_SHARPNESS).logits(scores))
    return np.asarray((upper - upper.mean()) / max(float(upper.std()), 1e-9))


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    one, other = one - one.mean(), other - other.mean()
    return float(one @ other) / (float(np.sqrt((one @ one) * (other @ other))) or 1.0)


def _as_marked(wanted: np.ndarray, marks: np.ndarray) -> np.ndarray:
    """Values to learn: marked pages as marked, others as scored, minus the mean."""
    wanted = np.where(marks > 0, np.maximum(wanted, MARK * marks), wanted)
    wanted = np.where(marks < 0, np.minimum(wanted, MARK * marks), wanted)
    return np.asarray(wanted - wanted.mean())

"""The page judge: the user's words say what to look for, the pages' texts and links say it more exactly.

1. Every page gets a word score: it names the words, is about the same, uses words of like meaning.
2. The word scores, split into two soft groups, are what a ridge regression learns to predict from the pages'
   terms and from the pages that link to them. Pages marked by the user (seeds, examples, counter-examples,
   feedback) are learned as marked, whatever their word scores.
3. A second regression learns half the word scores and half what the first one said.
4. Its prediction, split into two soft groups again, is the relevance. A page that speaks of the topic in
   other words than the user's has neighbours, in text or in links, that use the user's.

Drift is bounded: every fit starts from the words' scores, which are taken afresh, no fit sees what an
earlier one said of a page, and a second regression that leaves the words' scores is rolled back.
Where many hosts are met, a page is judged more leniently, for there it rather stands for its site, whose
other pages name the topic less often than the one that leads there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from lagotto.strategies.scent import ridge
from lagotto.strategies.scent.buckets import BUCKETS, Texts, heaviest
from lagotto.strategies.scent.columns import Column
from lagotto.strategies.scent.corpus import Corpus, Reading
from lagotto.strategies.scent.frequencies import Frequencies
from lagotto.strategies.scent.split import Split, sigmoid, split
from lagotto.strategies.scent.words import BY_MEANING, USUAL, Words, scale_of

MAX_TERMS = 120
"""Terms of a page that are kept, the heaviest ones."""
MAX_PAGES = 4000
"""Pages that a fit looks at; beyond that the older ones are thinned out."""
GROWTH = 0.13
"""A fit is due when the pages have grown by this share."""
SEED_SHARE = 0.3
"""How much a marked page counts in the crawl's own document frequencies: it was chosen, not found."""
PARENTS = 0.5
"""Scale of the links' features beside the terms'."""
RIDGE = 6.0
MARK = 3.0
"""What a marked page is learned as, in standard deviations."""
SECOND = 0.5
"""Weight of the first regression's own opinion in what the second one learns."""
AGREEMENT = 0.6
"""Correlation with the word scores below which the second regression has drifted and the first stands."""
FEW = 6
"""Below so many pages there is nothing to regress on, and the word scores decide."""
ONE_HOST = 0.5
"""How much of its leniency the judge loses on a web of one host."""
SHARPNESS = 6.0
SOFT_SHARPNESS = 4.0
"""Sharpness of the split of word scores, softer because they are the rougher signal."""


class Lexicon(NamedTuple):
    """What the judge makes of terms, by bucket, for short texts; the last row is that of padding, 0."""

    asked: np.ndarray
    """idf times what the user's words say of it; as imaginary part idf²."""
    weighted: np.ndarray
    """idf times the judge's weight; as imaginary part idf²."""


def cosines(totals: np.ndarray) -> np.ndarray:
    """Of short texts, given the sums of their terms in a column of a lexicon; damped for common words."""
    return np.asarray(totals.real / (np.sqrt(totals.imag) + 1.0))


class Judge:
    """Gives pages their relevance by text and links, and learns from all pages read so far."""

    def __init__(
        self,
        words: Mapping[str, float],
        *,
        language: str = "en",
        shift: float = 0.6,
        by_meaning: bool = True,
    ) -> None:
        self.words = Words(words, language, by_meaning=by_meaning)
        self.shift = shift
        self.frequencies = Frequencies(language)
        self.corpus = Corpus(len(words) + BY_MEANING)
        """Pages that the next fit looks at."""
        self.marks: list[float] = []
        """Of every page read, 0 but for those that the user marked."""
        self.said: dict[int, float] = {}
        """Page -> its relevance, 1 or 0, by the user's own word."""
        self.logits = Column(np.float64)
        """Log odds of every page read, by text and links."""
        self.pages_of_host: Counter[str] = Counter()
        self.fitted_at = 0
        self.rolled_back = 0
        """Fits whose second regression had drifted."""
        self.scale = USUAL
        self._query = np.zeros(BUCKETS, np.float32)
        self._ask()
        self.term_weights = self._query.copy()
        """The regression's, by bucket; before the first one the user's words."""
        self.parent_weights = np.zeros(0)
        self.dual = np.zeros(0)
        self.level = Split(0.3, 0.1)
        self.lexicon = Lexicon(np.zeros(BUCKETS + 1, np.complex64), np.zeros(BUCKETS + 1, np.complex64))
        self._write_lexicon(np.arange(BUCKETS))

    def read(self, counts: Mapping[str, int], titled: list[str], hashes: bytes = b"") -> Reading:
        """What is kept of a page with these term counts and title terms, and perhaps their hashes."""
        found, weights = heaviest(counts, titled, self.frequencies.rarity, MAX_TERMS, hashes)
        values = weights * self.frequencies.rarity.take(found)
        return Reading(found, weights, self.words.signs(counts, titled, found, values))

    def lean(self, relevant: Iterable[Mapping[str, int]], irrelevant: Iterable[Mapping[str, int]]) -> None:
        """Let example pages, by their term counts, say what the user's words are about."""
        self.words.lean(
            [self._heaviest(counts) for counts in relevant], [self._heaviest(counts) for counts in irrelevant]
        )
        self._ask()
        self._write_lexicon(np.arange(BUCKETS))

    def weigh(self, reading: Reading, parents: list[int]) -> float:
        """Log odds of a page by its text and the pages that link to it."""
        terms, weights = self.lexicon.weighted.take(reading.buckets), reading.weights
        length = sqrt(float(weights * weights @ terms.imag)) or 1.0
        if self.fitted_at < FEW:
            idf = self.frequencies.idf[reading.buckets]
            cosine = weights * idf @ self._query[reading.buckets] / length
            score = float(self._word_scores(np.array([cosine]), reading.words[np.newaxis])[0])
        else:
            score = float(weights @ terms.real) / length
            known = [parent for parent in parents if parent < len(self.parent_weights)]
            if known:
                score += PARENTS * sum(map(self.parent_weights.item, known)) / sqrt(len(parents) + 1.0)
        return self.level.logit(score)

    def add(self, reading: Reading, logit: float, mark: float = 0.0, host: str = "") -> int:
        """Take in a page; returns its number."""
        number = self.pages
        if host:
            self.pages_of_host[host] += 1
        self.corpus.add(number, reading)
        self.marks.append(mark)
        self.logits.append(logit)
        if len(self.corpus) > MAX_PAGES:
            self._thin_out()
        return number

    def mark(self, number: int, mark: float, reading: Reading) -> None:
        """Learn a page as the user says, on (1) or off (-1) topic; `reading` replaces one thinned out."""
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
        """Whether enough pages came since the last fit."""
        return self.pages - self.fitted_at >= max(1.0, GROWTH * min(self.fitted_at, MAX_PAGES))

    def fit(self, children: np.ndarray, parents: np.ndarray) -> None:
        """Learn from all pages kept; links run from `parents` to `children`, both numbers of pages."""
        kept, signs = self.corpus.kept, self.corpus.words
        marks = np.array([self.marks[number] for number in kept.tolist()])
        self.fitted_at = self.pages
        gone = self._take_frequencies(marks)
        met = self.frequencies.met
        texts = self._matrix()
        cosines = texts @ self._query[met].astype(np.float32)
        shift = self.shift * (1.0 - ONE_HOST * self._one_host())
        if len(kept) < FEW:
            word_scores = self._word_scores(cosines, signs)
            self.level = split(word_scores, shift=shift, sharpness=SHARPNESS)
            self._set_logits(self.level.logits(word_scores))
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
        # Until the first regression the user's words had weights, also those that are on no page.
        self.term_weights[gone] = self.term_weights[self.words.buckets] = 0.0
        self.term_weights[met] = found.term_weights
        self._write_lexicon(gone, self.words.buckets, met)
        self.parent_weights = np.zeros(self.pages)
        self.parent_weights[kept] = found.node_weights
        # Marked pages are fitted to lie far out: they would be the upper group, and all others the lower one.
        unmarked = found.predicted[marks == 0]
        others = unmarked if len(unmarked) >= FEW else found.predicted
        self.level = split(others, shift=shift, sharpness=SHARPNESS)
        self._set_logits(self.level.logits(found.predicted))

    def similarity(self, texts: Texts) -> np.ndarray:
        """Cosine of short texts with the words and what they mean."""
        return cosines(np.add.reduceat(self.lexicon.asked.take(texts.terms), texts.starts))

    def word_parts(self, reading: Reading) -> dict[str, float]:
        """What the page has of the user's words, for explaining."""
        return self.words.found_in(reading.words)

    def set_weights(self, terms: np.ndarray, term_weights: np.ndarray, parent_weights: np.ndarray) -> None:
        """Take back what an earlier fit had found, after the frequencies that it had."""
        self._ask()
        self.term_weights = np.zeros(BUCKETS, np.float32)
        self.term_weights[terms] = term_weights
        self.parent_weights = parent_weights
        self._write_lexicon(np.arange(BUCKETS))

    def _heaviest(self, counts: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
        found, weights = heaviest(counts, (), self.frequencies.rarity, MAX_TERMS)
        return found, weights * self.frequencies.rarity[found]

    def _one_host(self) -> float:
        """Chance that two pages fetched lie on the same host: 1 on a web of one host."""
        total = self.pages_of_host.total()
        return sum(n * n for n in self.pages_of_host.values()) / total**2 if total else 1.0

    def _write_lexicon(self, *changed: np.ndarray) -> None:
        """Bring buckets whose idf or weight may have changed up to date."""
        asked, weighted = self.lexicon
        for terms in changed:
            idf = self.frequencies.idf[terms]
            rows = np.empty(len(terms), np.complex64)
            rows.imag = idf * idf
            rows.real = idf * self.words.short_query(self._query, terms)
            asked[terms] = rows
            rows.real = idf * self.term_weights[terms]
            weighted[terms] = rows

    def _set_logits(self, of_kept: np.ndarray) -> None:
        self.logits.rows[self.corpus.kept] = of_kept

    def _matrix(self) -> csr_matrix:
        """Unit vectors of the pages kept, a row each, over the terms met."""
        met = self.frequencies.met
        values = self.corpus.vectors(self.frequencies.idf[met])
        return ridge.rows(self.corpus.places(), values, self.corpus.lengths, len(met))

    def _take_frequencies(self, marks: np.ndarray) -> np.ndarray:
        """Know how rare terms are; returns the buckets of those that are on no page any more."""
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
        """Let go of every second unmarked page of the older half."""
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
    """What to learn: marked pages as marked, the others as scored; the mean is no part of it."""
    wanted = np.where(marks > 0, np.maximum(wanted, MARK * marks), wanted)
    wanted = np.where(marks < 0, np.minimum(wanted, MARK * marks), wanted)
    return np.asarray(wanted - wanted.mean())

"""A made-up harvest: pages of several subjects, one of which is the topic."""

from __future__ import annotations

import numpy as np

from lagotto.focus.judging import Harvest

SUBJECTS, OWN_TERMS, COMMON_TERMS = 5, 40, 400


def made_harvest(
    pages: int = 300, *, noise: float = 1.0, present: bool = True, seed: int = 0, marks: int = 0
) -> tuple[Harvest, np.ndarray]:
    """A harvest whose first subject is the topic, and which pages are on it.

    The model's score is the truth with noise. Pages of a subject share terms, and link to each other.
    """
    random = np.random.default_rng(seed)
    subject = random.integers(0, SUBJECTS, pages)
    on = (subject == 0) & present
    own = 10_000 + subject[:, np.newaxis] * OWN_TERMS + random.integers(0, OWN_TERMS, (pages, 15))
    common = random.integers(0, COMMON_TERMS, (pages, 10))
    terms = np.concatenate([own, common], axis=1)
    parents = random.integers(0, pages, 4 * pages)
    children = np.array([random.choice(np.flatnonzero(subject == subject[row])) for row in parents.tolist()])
    score = on + random.normal(0.0, noise, pages)
    said = np.full(pages, np.nan)
    if marks:
        rows = 2 + random.choice(pages - 2, marks, replace=False)
        said[rows] = on[rows]
    chance = np.clip(0.2 + 0.5 * on + random.normal(0, 0.1, pages), 0.0, 1.0)
    harvest = Harvest(
        score=score,
        chance=chance,
        terms=terms.ravel().astype(np.int64),
        weights=np.ones(terms.size, np.float32),
        lengths=np.full(pages, terms.shape[1], np.int64),
        hosts=subject.astype(np.int64),
        children=children.astype(np.int64),
        parents=parents.astype(np.int64),
        out_links=np.full(pages, 4, np.int64),
        link_scores=random.normal(0.0, 1.0, pages),
        seeds=np.arange(pages) < 2,
        coverage=np.where(on, 0.7, 0.02),
        density=np.where(on, 2.5, 0.0),
        titled=np.where(on, 0.4, 0.0),
        about=np.where(on, 0.7, 0.1),
        marks=said,
    )
    return harvest, on

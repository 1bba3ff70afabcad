"""Measure final verdicts: crawl every topic of a frozen web in replay, judge the harvest again, and compare.

    python scripts/measure_verdicts.py WEB LABELS TOPICS --budget 500 [--encoder]
        [--marks 50 [--right .9]] [-o FOLDER]

Prints average precision, F1, claimed against true, Brier score and calibration error at fetch and judged
again, as means over topics with 95 % intervals, and writes a reliability diagram to the folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import nan
from pathlib import Path

import numpy as np
from msgspec import structs

from lagotto.judging import FetchedPage, Rejudged, worth_asking
from lagotto.judging.encoder import Encoder, find_encoder, opening
from lagotto.lab.experiments import measures
from lagotto.lab.experiments.one_run import replay
from lagotto.lab.experiments.truth import LabTopic, answered, read_labels, read_topics
from lagotto.lab.report.reliability import draw_reliability
from lagotto.lab.webs.analysis import analysis_of
from lagotto.lab.webs.web import FrozenWeb
from lagotto.records import Judgement, Lease, Page
from lagotto.strategies.scent import Scent
from lagotto.strategies.scent.exploration import BONUS
from lagotto.strategies.scent.features import NAMES
from lagotto.topic import Topic
from lagotto.urls import checksum

FIGURES: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], float]] = {
    "average precision": lambda hits, chances, _: measures.average_precision(hits, chances),
    "F1": lambda hits, _, claimed: measures.f1(hits, claimed),
    "claimed / true": lambda hits, _, claimed: measures.claimed_ratio(hits, claimed),
    "Brier score": lambda hits, chances, _: measures.brier_score(hits, chances),
    "calibration error": lambda hits, chances, _: measures.calibration_error(hits, chances),
}


class Recorded(Scent):
    """`scent` that keeps what a store would keep."""

    def __init__(self, topic: Topic) -> None:
        super().__init__(topic)
        self.fetched: list[FetchedPage] = []
        self.urls: list[str] = []
        self.judgements: list[Judgement] = []

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes:
        """Keep the page, and learn as ever."""
        lifted = BONUS if len(lease.parts) > len(NAMES) else 0.0
        self.urls.append(page.url)
        self.judgements.append(judgement)
        self.fetched.append(
            FetchedPage(
                id=checksum(page.url),
                host=lease.host,
                counts=page.terms,
                titled=page.title_terms,
                links=[checksum(link.url) for link in page.links],
                link_score=lease.score - lifted if lease.depth else nan,
                seed=lease.depth == 0,
                text=opening(page.title, page.description, page.text),
            )
        )
        return super().sample(page, judgement, lease)


def judged_again(
    strategy: Recorded, truth: np.ndarray, marks: int, encoder: Encoder | None, right: float = 1.0
) -> Rejudged | None:
    """Judge again; with marks, ask about as many pages first, of which this share is answered right."""
    rejudged = strategy.rejudge(strategy.fetched, encoder)
    if rejudged is None or not marks:
        return rejudged
    seeds = np.array([page.seed for page in strategy.fetched])
    asked = worth_asking(rejudged.relevance, np.where(seeds, 1.0, nan), marks)
    answers = dict(zip(asked.tolist(), answered(truth[asked], right).tolist(), strict=True))
    marked = (
        structs.replace(page, mark=answers[row]) if row in answers else page
        for row, page in enumerate(strategy.fetched)
    )
    return strategy.rejudge(marked, encoder)


class Table:
    """Collects the figures of topics."""

    def __init__(self) -> None:
        self.figures: dict[str, dict[str, list[float]]] = {}
        self.pages: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
        self.recall_errors: list[float] = []
        self.covered: list[bool] = []

    def add(self, strategy: Recorded, rejudged: Rejudged, truth: np.ndarray, wanted: int) -> str:
        """One more topic, with the number of its pages on the web; returns a line to print."""
        counted = np.array([not page.seed for page in strategy.fetched])
        hits = truth[counted]
        relevance = np.array([judgement.relevance for judgement in strategy.judgements])
        relevant = np.array([judgement.relevant for judgement in strategy.judgements])
        self._note("at fetch", hits, relevance[counted], relevant[counted])
        self._note("judged again", hits, rejudged.relevance[counted], rejudged.relevant[counted])
        recall = float(hits.sum()) / max(1, wanted - int(truth[~counted].sum()))
        estimate = rejudged.recall
        self.recall_errors.append(abs(recall - estimate.estimate))
        self.covered.append(estimate.low <= recall <= estimate.high)
        precisions = [of["average precision"][-1] for of in self.figures.values()]
        return (
            f"{hits.sum()} of {len(hits)} pages on topic, average precision {precisions[0]:.3f} at fetch, "
            f"{precisions[1]:.3f} judged again; chance of presence {rejudged.presence.chance:.2f}; recall "
            f"{recall:.2f}, estimated {estimate.estimate:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"
        )

    def _note(self, when: str, hits: np.ndarray, chances: np.ndarray, claimed: np.ndarray) -> None:
        self.pages.setdefault(when, []).append((hits, chances))
        figures = self.figures.setdefault(when, {name: [] for name in FIGURES})
        for name, of in FIGURES.items():
            figures[name].append(of(hits, chances, claimed))

    def print_means(self) -> None:
        """A line for each figure: mean and interval, at fetch and judged again."""
        for name in FIGURES:
            means = {when: measures.bootstrap(of[name]) for when, of in self.figures.items()}
            print(
                f"{name}: "
                + ", ".join(f"{when} {m.mean:.3f} ({m.low:.3f} to {m.high:.3f})" for when, m in means.items())
            )
        error, covered = np.mean(self.recall_errors), np.mean(self.covered)
        print(f"recall: mean error of the estimate {error:.3f}, interval covers {covered:.0%}")

    def draw(self, folder: Path) -> None:
        """Write the reliability diagram over the pages of all topics."""
        folder.mkdir(parents=True, exist_ok=True)
        curves = {}
        for when, pages in self.pages.items():
            hits, chances = (np.concatenate(arrays) for arrays in zip(*pages, strict=True))
            curves[when] = measures.reliability(hits, chances)
        draw_reliability(curves, folder / "reliability.svg")


def measure(arguments: argparse.Namespace) -> None:
    """Crawl, judge and print."""
    encoder = find_encoder() if arguments.encoder else None
    web = FrozenWeb.open(arguments.web)
    labels = read_labels(arguments.labels, web)
    table = Table()
    for name, topic in read_topics(arguments.topics).items():
        strategy = crawl(web, arguments.web.parent, topic, arguments.budget)
        relevant = labels.of(name)
        truth = np.array([url in relevant for url in strategy.urls])
        rejudged = judged_again(strategy, truth, arguments.marks, encoder, arguments.right)
        told = table.add(strategy, rejudged, truth, len(relevant)) if rejudged else "too few pages"
        print(f"{name}: {told}", flush=True)
    table.print_means()
    if arguments.output:
        table.draw(arguments.output)


def crawl(web: FrozenWeb, folder: Path, topic: LabTopic, budget: int) -> Recorded:
    """One crawl in replay."""
    about = Topic(topic.words)
    strategy = Recorded(about)
    seeds = [url for seed in topic.seeds if (url := web.resolve(seed))]
    replay(strategy, analysis_of(web, folder, about.phrases), seeds, budget + len(seeds))
    return strategy


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("web", type=Path, help="a frozen web")
    parser.add_argument("labels", type=Path)
    parser.add_argument("topics", type=Path)
    parser.add_argument("--budget", type=int, default=500)
    parser.add_argument("--marks", type=int, default=0, help="pages asked about, answered by the labels")
    parser.add_argument("--right", type=float, default=1.0, help="share of these answers that are right")
    parser.add_argument("--encoder", action="store_true", help="use the packaged encoder")
    parser.add_argument("-o", "--output", type=Path)
    measure(parser.parse_args())

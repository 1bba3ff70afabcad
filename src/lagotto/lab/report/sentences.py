"""A comparison in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from lagotto.lab.experiments.measures import ENOUGH
from lagotto.lab.experiments.results import SHARE, Comparison

PROTOCOLS = {
    "words": "Given words and seeds",
    "examples": "Given words, seeds and example pages",
    "log": "Given words, seeds, a query log and search results",
}


def unlabelled_note(topics: Iterable[str]) -> str:
    """That these topics were taken as absent."""
    return f"no page is labelled {', '.join(topics)}: taken as topics that the web does not have"


def headline(comparison: Comparison, protocol: str) -> str:
    """Who found most, how sure that is, and what going without a focus brings."""
    ranking = comparison.ranking(protocol)
    ahead = [name for name in ranking if name in comparison.contenders]
    if not ahead:
        return (
            f"Only bounds ran; breadth first reaches {_share(comparison, protocol, 'bfs')} of the oracle's."
        )
    best = ahead[0]
    if ranking[0] != best:
        return (
            f"No strategy is ahead of {ranking[0]}, which reaches "
            f"{_share(comparison, protocol, ranking[0])} of the oracle's harvest; {best} reaches "
            f"{_share(comparison, protocol, best)}."
        )
    interval = comparison.interval(SHARE, protocol, best)
    how_sure = f"95 % interval {_percent(interval.low)} to {_percent(interval.high)}"
    if len(comparison.topics) < ENOUGH:
        how_sure = "too few topics to say how sure that is"
    sentences = [
        f"{best} does best, with {_percent(interval.mean)} of the oracle's harvest (area under the curve; "
        f"{how_sure})."
    ]
    if len(ahead) > 1:
        paired = comparison.paired(protocol, best, ahead[1])
        second = f"{ahead[1]} comes next with {_share(comparison, protocol, ahead[1])}"
        close = "" if paired.sure else ", too close to be sure"
        sentences.append(f"{second}{close}: {best} is ahead on {paired.wins} of {paired.topics} topics.")
    return " ".join([*sentences, f"Breadth first reaches {_share(comparison, protocol, 'bfs')}."])


def _share(comparison: Comparison, protocol: str, strategy: str) -> str:
    return _percent(comparison.mean(SHARE, protocol, strategy))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"

"""How strategies look in every picture: one colour each, bounds in grey."""

from __future__ import annotations

from typing import NamedTuple

from lagotto.lab.experiments.results import Comparison
from lagotto.lab.experiments.tasks import INDEGREE, ORACLE, RANDOM


class Look(NamedTuple):
    """Colours on a light and on a dark ground, and dashes as SVG writes them."""

    light: str
    dark: str
    dashes: str = ""


COLOURS = (
    Look("#0b62c4", "#63a9ff"),
    Look("#c8450b", "#ff9457"),
    Look("#127a4b", "#4fc98c"),
    Look("#7d3bd1", "#bd93ff"),
    Look("#a06800", "#e2b048"),
    Look("#c2256b", "#ff82b4"),
    Look("#08808f", "#4fc7d6"),
    Look("#71513c", "#c9a58c"),
    Look("#55730b", "#a9c957"),
    Look("#4a55a8", "#9ea8f0"),
)
BOUNDS = {
    ORACLE: Look("#3b3f46", "#d7dae0", "2 3"),
    "bfs": Look("#6f757d", "#a2a8b0"),
    INDEGREE: Look("#8d939b", "#858b94", "7 3"),
    RANDOM: Look("#a3a8af", "#757b84", "1 3"),
}


def numbered(number: int) -> str:
    """Class of a curve that stands for no strategy, by its number in the picture."""
    return f"c{number % len(COLOURS)}"


def looks(comparison: Comparison) -> dict[str, Look]:
    """The look of each strategy, in the order of the comparison; dashed when colours come round again."""
    found = dict(BOUNDS)
    for place, name in enumerate(comparison.contenders):
        rounds, colour = divmod(place, len(COLOURS))
        found[name] = COLOURS[colour]._replace(dashes="5 3" if rounds else "")
    return {name: found[name] for name in comparison.strategies}

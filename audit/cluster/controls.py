"""Controls: workers that lack one of the guards break a promise, and the audit finds it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.cluster_figures import Figures
from tests.cluster_trial import Act, kill_workers, stop_past_the_lease


class Control(NamedTuple):
    """Careless workers, what is done to them, and the figure in which it must show."""

    careless: str
    act: Act
    shown: Callable[[Figures], int]


CONTROLS = {
    "control, leases and epochs are ignored": Control(
        "leases", stop_past_the_lease, lambda figures: figures.at_once
    ),
    "control, a page is written without a look whether it is there": Control(
        "twice", stop_past_the_lease, lambda figures: figures.double_commits
    ),
    "control, every tenth commit is left out": Control("commits", kill_workers, lambda figures: figures.lost),
}
"""One for each kind of promise."""

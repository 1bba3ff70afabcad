"""The harvest curve: relevant pages found against pages fetched, one line a crawl."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lagotto.demo.runs import Run
from lagotto.errors import InputError
from lagotto.lab.web import input_errors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (9.0, 5.2)
DOTS_PER_INCH = 150
COLOURS = ("#1b7f5c", "#c8553d", "#3d6cb9", "#b8891e", "#7a4fa3", "#4a9aa5", "#8a5a44", "#d0699c")
INK, PALE, PAPER = "#262626", "#8c8c8c", "#ffffff"
LABEL_HEIGHT = 0.105
"""Height of a line's name and figures, as a share of the axes."""
FORMATS = frozenset({".png", ".svg"})


def draw_harvest(
    runs: Sequence[Run], relevant: int, paths: Sequence[str | Path], title: str, subtitle: str = ""
) -> None:
    """Draw the crawls' harvest curves, best first, and write the picture to each path (.png or .svg)."""
    for path in paths:
        if Path(path).suffix not in FORMATS:
            raise InputError(f"cannot draw to {path}; the picture's name must end in .png or .svg")
    # matplotlib takes a second to import: only those who want a picture wait for it.
    import matplotlib as mpl
    from matplotlib.figure import Figure

    ranked = sorted(runs, key=lambda run: -run.found)
    longest = max((run.fetched for run in ranked), default=0) or 1
    with mpl.rc_context({"svg.hashsalt": "lagotto", "svg.fonttype": "none", "font.size": 11}):
        figure = Figure(figsize=SIZE, facecolor=PAPER)
        axes = figure.add_axes((0.085, 0.12, 0.685, 0.7))
        _draw_ideal(axes, relevant, longest)
        for run, colour in zip(ranked, COLOURS * len(ranked), strict=False):
            axes.plot(run.curve(), color=colour, linewidth=2.6, solid_capstyle="round")
        height = 1.06 * max(min(relevant, longest), 1)
        _name_lines(axes, ranked, height)
        _dress(axes, longest, height)
        figure.text(0.085, 0.925, title, fontsize=16, fontweight="bold", color=INK)
        figure.text(0.085, 0.87, subtitle, fontsize=11, color=PALE)
        for path in paths:
            # Without its date a picture of the same crawls is the same file.
            undated = {"Date": None} if Path(path).suffix == ".svg" else None
            with input_errors(f"cannot write {path}"):
                figure.savefig(path, dpi=DOTS_PER_INCH, metadata=undated)


def _draw_ideal(axes: Axes, relevant: int, longest: int) -> None:
    """Every page relevant, until there are no more."""
    corner = min(relevant, longest)
    xs, ys = [0, corner, longest], [0, corner, corner]
    axes.plot(xs, ys, color=PALE, linewidth=1.4, linestyle=(0, (4, 3)))
    axes.fill_between(xs, ys, color=PALE, alpha=0.07, linewidth=0)
    axes.annotate(
        "ideal",
        (corner, corner),
        (-8, 5),
        textcoords="offset points",
        ha="right",
        color=PALE,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.5},
    )


def _name_lines(axes: Axes, ranked: Sequence[Run], height: float) -> None:
    """Write each line's name and figures beside its end, moved apart where lines end close together."""
    heights = _apart([run.found for run in ranked], LABEL_HEIGHT * height)
    beside = axes.get_yaxis_transform()
    for run, y, colour in zip(ranked, heights, COLOURS * len(ranked), strict=False):
        axes.plot([1.0, 1.025], [run.found, y], color=colour, linewidth=0.9, transform=beside, clip_on=False)
        axes.text(1.035, y, run.name, transform=beside, color=colour, fontweight="bold", va="bottom")
        figures = f"{run.found:,} relevant, {run.harvest_ratio:.0%} harvest"
        axes.text(1.035, y, figures, transform=beside, color=PALE, fontsize=9, va="top")


def _apart(heights: Sequence[float], gap: float) -> list[float]:
    """Falling heights, changed as little as needed to be `gap` apart and not below half a gap."""
    placed: list[float] = []
    floor = gap * (len(heights) - 0.5)
    for height in heights:
        lowest_allowed = floor - gap * len(placed)
        highest_allowed = placed[-1] - gap if placed else float("inf")
        placed.append(min(max(height, lowest_allowed), highest_allowed))
    return placed


def _dress(axes: Axes, longest: int, height: float) -> None:
    axes.set_xlim(0, longest)
    axes.set_ylim(0, height)
    axes.set_xlabel("pages fetched", color=INK)
    axes.set_ylabel("relevant pages found", color=INK)
    axes.grid(axis="y", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=PALE, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color("#bfbfbf")

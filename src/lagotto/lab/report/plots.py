"""The curves as PNG files, drawn with matplotlib."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lagotto.lab.experiments.measures import Curve, band_of_mean
from lagotto.lab.experiments.papers import mean_segments, segment_length
from lagotto.lab.experiments.results import SHARE, Comparison
from lagotto.lab.report.charts import Look, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#b6bbc1",
    "axes.labelcolor": "#5d646d",
    "axes.grid": True,
    "grid.color": "#eceef0",
    "xtick.color": "#5d646d",
    "ytick.color": "#5d646d",
    "font.size": 9,
}
COLUMNS = 3
MAX_POINTS = 400


def draw_plots(comparison: Comparison, folder: Path) -> None:
    """Draw all pictures of a comparison into a folder."""
    import matplotlib

    # The backend that needs no display, whatever the user's settings name.
    matplotlib.use("agg")
    with matplotlib.rc_context(STYLE):
        for protocol in comparison.protocols:
            pictures = {
                "shares": _shares(comparison, protocol),
                "curves": _curves(comparison, protocol),
                "topics": _topics(comparison, protocol),
                "segments": _segments(comparison, protocol),
            }
            for name, figure in pictures.items():
                figure.savefig(folder / f"{protocol}-{name}.png", dpi=144, metadata={"Software": None})


def _figure(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure((width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, list(axes.flat)


def _shares(comparison: Comparison, protocol: str) -> Figure:
    ranking = comparison.ranking(protocol)[::-1]
    figure, (axes,) = _figure(7, 0.7 + 0.28 * len(ranking))
    colours = looks(comparison)
    for place, name in enumerate(ranking):
        interval = comparison.interval(SHARE, protocol, name)
        colour = colours[name].light
        axes.plot([interval.low, interval.high], [place, place], color=colour, alpha=0.45, linewidth=3)
        axes.plot(interval.mean, place, "o", color=colour)
        axes.annotate(
            f"{100 * interval.mean:.0f} %",
            (max(interval.high, interval.mean), place),
            xytext=(9, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set_yticks(range(len(ranking)), ranking)
    axes.tick_params(axis="y", length=0, labelcolor="#1c1f24")
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_xlim(0, max(1.0, axes.get_xlim()[1]))
    axes.set_xlabel("share of the oracle's area under the harvest curve, with its 95 % interval over topics")
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    return figure


def _curves(comparison: Comparison, protocol: str) -> Figure:
    figure, (axes,) = _figure(8, 4.6)
    lead = comparison.lead(protocol)
    pages = _places(comparison.budget)
    for name, look in looks(comparison).items():
        curves = comparison.mean_curves(protocol, name)
        _plot(axes, pages, curves.mean(axis=0), look, name, lead=name == lead)
        if name in (lead, "bfs"):
            low, high = band_of_mean(curves)
            _fill(axes, pages, low, high, look)
    axes.set_xlabel("pages fetched")
    axes.set_ylabel("relevant pages found, mean over topics")
    axes.margins(x=0)
    axes.set_ylim(bottom=0)
    handles, labels = axes.get_legend_handles_labels()
    order = np.argsort([-comparison.mean_curves(protocol, name).mean(axis=0)[-1] for name in labels])
    figure.legend(
        handles=[handles[place] for place in order],
        labels=[labels[place] for place in order],
        loc="outside right upper",
        frameon=False,
    )
    return figure


def _topics(comparison: Comparison, protocol: str) -> Figure:
    columns = min(COLUMNS, len(comparison.topics))
    rows = math.ceil(len(comparison.topics) / columns)
    figure, axes = _figure(0.8 + 2.9 * columns, 0.7 + 2.2 * rows, rows, columns)
    lead = comparison.lead(protocol)
    pages = _places(comparison.budget)
    handles: dict[str, Any] = {}
    for place, topic in enumerate(comparison.topics):
        for name, look in looks(comparison).items():
            curves = comparison.curve(protocol, name, topic)
            mean = curves.mean(axis=0)
            handles[name] = _plot(axes[place], pages, mean, look, name, lead=name == lead)
            if name in (lead, "bfs"):
                _fill(axes[place], pages, curves.min(axis=0), curves.max(axis=0), look)
        axes[place].set_title(topic, loc="left", fontsize=9, fontweight="bold")
        axes[place].margins(x=0)
        axes[place].set_ylim(bottom=0)
    for unused in axes[len(comparison.topics) :]:
        unused.set_visible(False)
    figure.legend(
        handles=list(handles.values()),
        loc="outside lower center",
        ncols=min(7, len(handles)),
        frameon=False,
    )
    return figure


def _segments(comparison: Comparison, protocol: str) -> Figure:
    """Relevant pages of each segment, and the harvest ratio so far: the paper of `linkrank` has both."""
    figure, (relevant, cumulative) = _figure(8, 6.4, rows=2)
    length = segment_length(comparison.budget)
    lead = comparison.lead(protocol)
    handles = []
    for name, look in looks(comparison).items():
        found = mean_segments(comparison, protocol, name)
        ends = length * np.arange(1, len(found.segment) + 1)
        counts = length * np.asarray(found.segment)
        handles.append(_line(relevant, ends, counts, look, name, lead=name == lead))
        _line(cumulative, ends, np.asarray(found.cumulative), look, name, lead=name == lead)
    relevant.set_ylabel(f"relevant pages a segment of {length}")
    cumulative.set_ylabel("harvest ratio so far")
    cumulative.set_xlabel("pages fetched")
    for axes in (relevant, cumulative):
        axes.set_ylim(bottom=0)
    figure.legend(handles=handles, loc="outside right upper", frameon=False)
    return figure


def _plot(axes: Axes, pages: NDArray[np.int64], found: Curve, look: Look, name: str, *, lead: bool) -> Any:
    return _line(axes, pages, _at(found, pages), look, name, lead=lead)


def _line(axes: Axes, x: NDArray[np.int64], y: Curve, look: Look, name: str, *, lead: bool) -> Any:
    (line,) = axes.plot(
        x,
        y,
        color=look.light,
        linewidth=2.4 if lead else 1.2,
        linestyle=(0, tuple(map(float, look.dashes.split()))) if look.dashes else "-",
        label=name,
    )
    return line


def _fill(axes: Axes, pages: NDArray[np.int64], low: Curve, high: Curve, look: Look) -> None:
    axes.fill_between(pages, _at(low, pages), _at(high, pages), color=look.light, alpha=0.13, linewidth=0)


def _places(budget: int) -> NDArray[np.int64]:
    """Pages at which curves are drawn: few enough for a file of reasonable size."""
    return np.unique(np.linspace(0, budget, MAX_POINTS).astype(int))


def _at(curve: Curve, pages: NDArray[np.int64]) -> Curve:
    """A curve, which begins after the first page, at these pages."""
    return np.concatenate([[0.0], curve])[pages]

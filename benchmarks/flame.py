"""Flame graph of a crawl, from the stacks that py-spy sampled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NARROWEST = 0.004
"""Frames with a smaller share of the samples are left out."""
LABELLED = 0.02
DEEPEST = 16
CHARACTER = 0.0047
"""Width of a letter, as a share of the picture."""
COLOURS = {
    "parse": "#7fb3d5",
    "text": "#aed6f1",
    "strategies": "#f5b041",
    "store": "#82c99d",
    "crawling": "#f1948a",
    "frontier": "#c39bd3",
    "fetch": "#76d7c4",
    "": "#d5d8dc",
}
WAITING = ("SocketIO.readinto",)
_FRAME = re.compile(r"(?P<name>.*) \((?P<file>.*?)(?::\d+)?\)$")
_LAGOTTO = re.compile(r"lagotto/(\w+)/")


class Node:
    """A function in the call tree."""

    def __init__(self) -> None:
        self.samples = 0
        self.callees: dict[str, Node] = {}

    def add(self, frames: Iterable[str], samples: int) -> None:
        """Count a stack."""
        node = self
        node.samples += samples
        for frame in frames:
            node = node.callees.setdefault(frame, Node())
            node.samples += samples


def read_stacks(path: Path, root: str) -> Node:
    """Stacks below a function, without importing and waiting."""
    tree = Node()
    for line in path.read_text("utf-8").splitlines():
        stack, _, samples = line.rpartition(" ")
        frames = [re.sub(r":\d+\)$", ")", frame) for frame in stack.split(";")]
        starts = [place for place, frame in enumerate(frames) if frame.startswith(root)]
        if starts and "_find_and_load" not in stack and not frames[-1].startswith(WAITING):
            tree.add(frames[starts[-1] + 1 :], int(samples))
    return tree


def draw(panels: dict[str, Node], path: Path) -> None:
    """Draw a panel for each process, scaled to its time."""
    depths = [min(DEEPEST, _depth(tree, tree.samples)) for tree in panels.values()]
    figure, places = plt.subplots(
        len(panels),
        figsize=(13, 0.9 + 0.27 * sum(depths)),
        height_ratios=depths,
        squeeze=False,
        layout="constrained",
    )
    for (title, tree), depth, axes in zip(panels.items(), depths, places[:, 0], strict=True):
        axes.set_title(title, loc="left", fontsize=10)
        axes.set_xlim(0, 1)
        axes.set_ylim(depth, 0)
        axes.axis("off")
        _draw_callees(axes, tree, 0.0, 0, tree.samples)
    parts = [(name or "libraries and Python", colour) for name, colour in COLOURS.items()]
    figure.legend(
        [Rectangle((0, 0), 1, 1, color=colour) for _, colour in parts],
        [name for name, _ in parts],
        loc="outside lower center",
        ncols=len(parts),
        fontsize=8,
        frameon=False,
    )
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _wide(node: Node, total: int) -> Iterator[tuple[str, Node]]:
    """Callees that are wide enough to be drawn, the widest first."""
    for frame, callee in sorted(node.callees.items(), key=lambda entry: -entry[1].samples):
        if callee.samples >= NARROWEST * total:
            yield frame, callee


def _depth(node: Node, total: int) -> int:
    return max((1 + _depth(callee, total) for _, callee in _wide(node, total)), default=0)


def _draw_callees(axes: Axes, node: Node, left: float, depth: int, total: int) -> None:
    if depth == DEEPEST:
        return
    for frame, callee in _wide(node, total):
        width = callee.samples / total
        found = _FRAME.match(frame)
        name, file = (found["name"], found["file"]) if found else (frame, "")
        part = _LAGOTTO.search(file)
        colour = COLOURS.get(part[1] if part else "", COLOURS[""])
        axes.add_patch(Rectangle((left, depth), width, 0.94, facecolor=colour, edgecolor="white", lw=0.5))
        if width >= LABELLED:
            share = f" {100 * width:.0f} %"
            room = int(width / CHARACTER)
            label = name + share if len(name + share) <= room else name[:room]
            axes.text(left + 0.002, depth + 0.5, label, va="center", fontsize=7, clip_on=True)
        _draw_callees(axes, callee, left, depth + 1, total)
        left += width

"""Flame graph of a crawl, from the stacks that py-spy sampled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from lagotto.base.svg import FONT, document, text

NARROWEST = 0.004
"""Frames with a smaller share of the samples are left out."""
LABELLED = 0.02
DEEPEST = 16
WIDTH, ROW, TITLE = 1300, 20, 26
CHARACTER = 6.2
"""Width of a letter."""
STYLE = f"text {{ font: 11px {FONT}; fill: #1c1f24; }} rect {{ stroke: #ffffff; stroke-width: .5; }}"
COLOURS = {
    "parse": "#7fb3d5",
    "base": "#aed6f1",
    "focus": "#f5b041",
    "store": "#82c99d",
    "crawling": "#f1948a",
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
    """Draw a panel for each process, scaled to its time, and a legend below."""
    parts: list[str] = []
    top = 0
    for title, tree in panels.items():
        parts.append(text("title", "start", 4, top + TITLE - 8, title))
        parts += _callees(tree, 0.0, top + TITLE, 0, tree.samples)
        top += TITLE + ROW * min(DEEPEST, _depth(tree, tree.samples))
    for number, (name, colour) in enumerate(COLOURS.items()):
        x = 4 + 120 * number
        parts.append(f'<rect x="{x}" y="{top + 8}" width="12" height="12" fill="{colour}"/>')
        parts.append(text("name", "start", x + 17, top + 18, name or "libraries and Python"))
    path.write_text(document(WIDTH, top + 30, "Flame graph", STYLE, parts), encoding="utf-8")


def _wide(node: Node, total: int) -> Iterator[tuple[str, Node]]:
    """Callees that are wide enough to be drawn, the widest first."""
    for frame, callee in sorted(node.callees.items(), key=lambda entry: -entry[1].samples):
        if callee.samples >= NARROWEST * total:
            yield frame, callee


def _depth(node: Node, total: int) -> int:
    return max((1 + _depth(callee, total) for _, callee in _wide(node, total)), default=0)


def _callees(node: Node, left: float, top: int, depth: int, total: int) -> Iterator[str]:
    """Rectangles of a function's callees, and of theirs below; `left` is a share of the width."""
    if depth == DEEPEST:
        return
    for frame, callee in _wide(node, total):
        share = callee.samples / total
        found = _FRAME.match(frame)
        name, file = (found["name"], found["file"]) if found else (frame, "")
        part = _LAGOTTO.search(file)
        colour = COLOURS.get(part[1] if part else "", COLOURS[""])
        x, y, width = round(WIDTH * left, 1), top + ROW * depth, round(WIDTH * share, 1)
        yield f'<rect x="{x:g}" y="{y}" width="{width:g}" height="{ROW - 1}" fill="{colour}"/>'
        if share >= LABELLED:
            whole = f"{name} {100 * share:.0f} %"
            room = int((width - 6) / CHARACTER)
            yield text("frame", "start", x + 3, y + 13, whole if len(whole) <= room else name[:room])
        yield from _callees(callee, left, top, depth + 1, total)
        left += share

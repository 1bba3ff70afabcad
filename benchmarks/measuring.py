"""CPU time and memory of a process with its children, and pages of the documentation made of figures.

Standard library alone: the scripts that run other crawlers import it in an environment of their own.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
PICTURES = PROJECT / "docs" / "pictures"
PAGE = PROJECT / "docs" / "performance.md"
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")


class Cpu(NamedTuple):
    """CPU seconds so far."""

    own: float
    children: float

    @property
    def total(self) -> float:
        """Of the whole tree."""
        return self.own + self.children

    def since(self, before: Cpu) -> Cpu:
        """What was used in between."""
        return Cpu(self.own - before.own, self.children - before.children)


def cpu() -> Cpu:
    """CPU of this process and of its children, those that have ended included."""
    own, ended = _spent("self")
    return Cpu(own, ended + sum(sum(_spent(child)) for child in _children()))


def memory() -> float:
    """Resident memory of this process without its children, in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE_SIZE / 2**20


def _children() -> list[str]:
    return [
        child
        for children in Path("/proc/self/task").glob("*/children")
        for child in children.read_text().split()
    ]


def _spent(process: str) -> tuple[float, float]:
    """Seconds of a process, and of those of its children that have ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:  # it has ended since it was listed
        return 0.0, 0.0
    user, system, ended_user, ended_system = map(int, fields[11:15])
    return (user + system) / _TICK, (ended_user + ended_system) / _TICK


def machine() -> str:
    """What the figures were measured on, and when."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )
    return (
        f"{date.today().isoformat()}, {os.cpu_count()} cores of {model}, {platform.system()} "
        f"{platform.release()}, Python {platform.python_version()}"
    )


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; all columns but the first are figures."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def publish(name: str, text: str, *, write: bool) -> None:
    """Print what was measured; put it into its place in docs/performance.md if asked to."""
    command = " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]]).replace(
        " --write", ""
    )
    block = f"{text}\n\n`{command}`: {machine()}"
    print(f"\n{block}\n", flush=True)
    if write:
        page = PAGE.read_text("utf-8")
        place = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        assert place.search(page), f"{PAGE} has no place for {name}"
        PAGE.write_text(place.sub(lambda found: found[1] + block + found[2], page), "utf-8")

"""CPU time and memory of a process with its children.

Standard library only: scripts that run other crawlers import it in another environment.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
OUTPUT = PROJECT / "bench-output"
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


def cpu(process: str = "self") -> Cpu:
    """CPU of a process, by number, and of all below it, including finished ones."""
    own, ended = _spent(process)
    return Cpu(own, ended + sum(cpu(child).total for child in _children(process)))


def memory(*, mapped: bool = True) -> float:
    """Resident memory of this process without its children, in MiB, with or without mapped files."""
    resident, shared = map(int, Path("/proc/self/statm").read_text().split()[1:3])
    return (resident if mapped else resident - shared) * _PAGE_SIZE / 2**20


def _children(process: str) -> list[str]:
    return [
        child
        for children in Path(f"/proc/{process}/task").glob("*/children")
        for child in children.read_text().split()
    ]


def _spent(process: str) -> tuple[float, float]:
    """CPU seconds of a process and of its finished children."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:  # it has ended since it was listed
        return 0.0, 0.0
    user, system, ended_user, ended_system = map(int, fields[11:15])
    return (user + system) / _TICK, (ended_user + ended_system) / _TICK

"""Sessions in documentation pages: commands and Python blocks in order, with the output shown there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ELIDED = "..."
"""A shown line that stands for any number of lines."""
_PARTS = re.compile(r"\s+\w+ [+-]\d+\.\d+(, \w+ [+-]\d+\.\d+)*")
"""Parts of a link score; which ones there are depends on the order in which pages came."""
_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Command(NamedTuple):
    """A command line, and what the page shows of its output."""

    words: list[str]
    shown: list[str]


def steps(page: Path) -> Iterator[Command | str]:
    """Commands of console blocks, and Python blocks as they stand, in the order of the page."""
    for language, block in _BLOCK.findall(page.read_text()):
        if language == "python":
            yield block
            continue
        command: Command | None = None
        for line in block.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command
                command = Command(shlex.split(line[2:]), [])
            else:
                assert command is not None, f"{page.name}: output before a command: {line}"
                command.shown.append(line)
        if command is not None:
            yield command


def shape(line: str) -> str:
    """A line without figures and times, parts of a score, and the URL of a link that comes next.

    >>> shape("next           2.765  http://a.example/b"), shape("150 pages, 20.9/s  2026-11-18T10:59:32Z")
    ('next # URL', '# page, #/s #')
    """
    if _PARTS.fullmatch(line):
        return "parts of a link score"
    line = re.sub(r"^(next +\S+|  -?\d\S*) +http\S+", r"\1 URL", line)
    line = re.sub(r"by \w+ at", "by # at", line)
    line = re.sub(r"(?<![\w-])[+-]?\d[\d.,:+TZ-]*(?<![,.:])", "#", line)
    line = re.sub(r"# (page|host|link|request)s\b", r"# \1", line)
    return re.sub(r" +", " ", line).rstrip()


def missing(shown: list[str], printed: list[str]) -> str:
    """The first line of the page that the output does not have in its place; empty if there is none."""
    left = iter([shape(line) for line in printed])
    for line in shown:
        if line != ELIDED and shape(line) not in left:
            return line
    return ""

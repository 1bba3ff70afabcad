"""Markdown cut into chunks for retrieval: at headings, then between blocks, then between words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_heading = re.compile(r"#{1,6} +(.*)").match
_FENCE = "```"


class Chunk(Struct, frozen=True):
    """A piece of a page."""

    heading: str
    """The last heading at or before it; empty if there is none."""
    text: str
    words: int


def chunks_of(markdown: str, most: int) -> Iterator[Chunk]:
    """Chunks of at most so many words, in order.

    A heading begins a new chunk. Blocks stay whole unless one alone is too long; that one is cut between
    words.

    >>> [chunk.text for chunk in chunks_of("# Owls\\n\\nThey fly.\\n\\nBy night.\\n\\n# Herons", 5)]
    ['# Owls\\n\\nThey fly.', 'By night.', '# Herons']
    """
    heading, kept, size = "", list[str](), 0
    bare = True
    for block in _blocks(markdown):
        title = _heading(block)
        length = len(block.split())
        if kept and (size + length > most or (title and not bare)):
            yield Chunk(heading, "\n\n".join(kept), size)
            kept, size, bare = [], 0, True
        if title:
            heading = title[1].strip()
        bare = bare and title is not None
        if length > most:
            yield from _cut(block, most, heading)
            continue
        kept.append(block)
        size += length
    if kept:
        yield Chunk(heading, "\n\n".join(kept), size)


def _cut(block: str, most: int, heading: str) -> Iterator[Chunk]:
    words = block.split()
    for start in range(0, len(words), most):
        piece = words[start : start + most]
        yield Chunk(heading, " ".join(piece), len(piece))


def _blocks(markdown: str) -> Iterator[str]:
    """Blocks that blank lines divide, fenced code in one piece."""
    block: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        if line.lstrip().startswith(_FENCE):
            fenced = not fenced
        if line.strip() or fenced:
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)

"""A link as it stands in a document, its target not yet resolved."""

from __future__ import annotations


class Anchor:
    """What the document says of one target, and where in its whole text."""

    __slots__ = (
        "alt",
        "end",
        "heading",
        "label",
        "length",
        "path",
        "rel",
        "start",
        "target",
        "text_end",
        "text_start",
    )

    def __init__(self, target: str, rel: str, path: str, heading: str = "", position: int = 0) -> None:
        self.target = target
        """The reference without its fragment."""
        self.rel = rel
        self.path = path
        self.heading = heading
        self.label = ""
        """What an element without text calls its target, by `title` or `aria-label`."""
        self.alt = ""
        self.start = self.end = position
        """The first place that links there."""
        self.text_start = self.text_end = position
        """The place with the longest anchor text."""
        self.length = -1

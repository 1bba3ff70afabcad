"""A link as it stands in a document, its target not yet resolved."""

from __future__ import annotations


class Anchor:
    """What the document says of a link, and where its anchor text lies in the whole text."""

    __slots__ = ("alt", "end", "heading", "href", "label", "path", "rel", "start")

    def __init__(
        self, href: str, rel: str, label: str, path: str, heading: str = "", start: int = 0, alt: str = ""
    ) -> None:
        self.href = href
        self.rel = rel
        self.label = label
        """What the element itself calls its target, by `title` or `aria-label`."""
        self.path = path
        self.heading = heading
        self.alt = alt
        self.start = start
        self.end = start

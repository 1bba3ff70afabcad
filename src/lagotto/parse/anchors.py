"""A link as it stands in a document, its target not yet resolved."""

from __future__ import annotations

from msgspec import Struct


class Anchor(Struct):
    """What the document says of one target, and where in its whole text."""

    target: str
    """The reference without its fragment."""
    rel: str
    path: str
    heading: str = ""
    start: int = 0
    end: int = 0
    """The first place that links there."""
    text_start: int = 0
    text_end: int = 0
    """The place with the longest anchor text."""
    length: int = -1
    """Length of that text, white space included; negative before any was found."""
    label: str = ""
    """What an element without text calls its target, by `title` or `aria-label`."""
    alt: str = ""

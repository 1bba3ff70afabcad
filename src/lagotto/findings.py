"""What a check of a crawl found."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """How much a finding matters."""

    GOOD = "good"
    NOTE = "note"
    WARNING = "warning"
    """Something was lost; the crawl can go on."""
    ERROR = "error"
    """The crawl cannot be trusted, or not be opened."""


class Finding(Struct, frozen=True):
    """One thing that was checked."""

    severity: Severity
    sentence: str

"""Checks of strategy options, made when a strategy is built."""

from __future__ import annotations

from math import inf

from lagotto.base.errors import InputError


def check_range(strategy: str, lowest: float, highest: float = inf, /, **options: float) -> None:
    """Refuse options outside a closed range.

    >>> check_range("static", 1, size=100, first_pages=50)
    """
    wanted = f"from {lowest} up" if highest == inf else f"from {lowest} to {highest}"
    for option, value in options.items():
        if not lowest <= value <= highest:
            raise InputError(f"option '{option}' of '{strategy}' is a number {wanted}, not {value}")


def check_positive(strategy: str, /, **options: float) -> None:
    """Refuse options that are not above 0."""
    for option, value in options.items():
        if not value > 0:
            raise InputError(f"option '{option}' of '{strategy}' is a number above 0, not {value}")

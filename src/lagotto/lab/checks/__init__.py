"""Checks for those who write strategies and stores of their own."""

from lagotto.lab.checks.strategies import check_strategy, fictional_pages, lease_of, make_page

__all__ = ["check_strategy", "fictional_pages", "lease_of", "make_page"]

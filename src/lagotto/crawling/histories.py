"""The stored history of a page, which a damaged store may have lost."""

from __future__ import annotations

from lagotto.base.errors import DamagedStore
from lagotto.base.protocols import Reader
from lagotto.base.views import PageDetails, UrlHistory


def history_of_page(reader: Reader, url: str) -> tuple[UrlHistory, PageDetails]:
    """How a stored page was found, and what is stored of it; raises `DamagedStore` if that is gone."""
    history = reader.history(url)
    if history is None or history.page is None:
        raise DamagedStore(f"the store has lost what belongs to {url}; check it with lagotto doctor")
    return history, history.page

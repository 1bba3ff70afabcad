"""A new column of a page is kept by PostgreSQL as it is by SQLite."""

from __future__ import annotations

import pytest

from tests.store.postgres.conftest import PostgresStores
from tests.store.test_columns import dummy as dummy
from tests.store.test_columns import length_of, one_page


@pytest.mark.usefixtures("dummy")
async def test_a_new_column_is_written_and_read(stores: PostgresStores) -> None:
    storage = stores.place()
    await one_page(storage)
    assert length_of(storage) == 3

"""Locations of crawls in PostgreSQL."""

from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.store.postgres.location import check_name, read_location, without_password


def test_what_only_lagotto_reads_is_left_out_for_the_database() -> None:
    found = read_location(
        "postgresql://me:secret@db.example:5433/crawls?sslmode=require&crawl=birds&files=/w/x"
    )
    assert found.database == "postgresql://me:secret@db.example:5433/crawls?sslmode=require"
    assert (found.crawl, found.schema, found.files) == ("birds", "lagotto_birds", "/w/x")
    assert "secret" not in found.shown


def test_a_socket_has_no_host() -> None:
    found = read_location("postgresql://postgres:@/postgres?host=/tmp/pg&crawl=birds")
    assert found.database == "postgresql://postgres:@/postgres?host=%2Ftmp%2Fpg"
    assert read_location("postgresql:///postgres?crawl=b").database == "postgresql:///postgres"


@pytest.mark.parametrize("name", ["", "Birds", "a b", "x" * 51, 'a"; DROP', "-a"])
def test_names_that_cannot_be_used_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="crawl"):
        check_name(read_location(f"postgresql://db.example/crawls?crawl={name}"))


def test_only_the_password_is_hidden() -> None:
    assert without_password("postgresql://me:s3cret@db/x?crawl=a") == "postgresql://me@db/x?crawl=a"
    assert without_password("postgresql://me@db/x") == "postgresql://me@db/x"
    assert without_password("postgresql://db/x") == "postgresql://db/x"
    assert without_password("postgresql://db/x?password=s3cret&crawl=a") == "postgresql://db/x?crawl=a"
    assert without_password("postgresql://me:@db/x?crawl=a") == "postgresql://me:@db/x?crawl=a"

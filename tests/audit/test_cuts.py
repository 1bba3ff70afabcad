"""Power cuts: no page is lost, no export stops, and what lost its answer gets it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.cuts import UNSYNCED, built, cut_crawl


@pytest.fixture
def library(tmp_path: Path) -> Path:
    found = built(tmp_path)
    if found is None:
        pytest.skip("there is no C compiler to build the library that cuts the power")
    return found


@pytest.mark.timeout(600)
async def test_twenty_power_cuts_lose_nothing(library: Path, tmp_path: Path) -> None:
    found = await cut_crawl(tmp_path, library, 20, pages=300)
    assert not found.bad, found
    assert found.cuts > 10


async def test_the_cuts_find_out_what_syncs_nothing(library: Path, tmp_path: Path) -> None:
    found = await cut_crawl(tmp_path, library, 1, pages=400, program=UNSYNCED, drawn=False)
    assert found.lost_answers > 0
    assert not found.bad, "they were fetched again"


@pytest.mark.long
async def test_two_hundred_power_cuts_lose_nothing(library: Path, tmp_path: Path) -> None:
    found = await cut_crawl(tmp_path, library, 200, pages=6000)
    assert not found.bad, found
    assert found.cuts > 150


async def test_full_durability_loses_no_commit(library: Path, tmp_path: Path) -> None:
    found = await cut_crawl(tmp_path, library, 3, pages=120, options=("--durability", "full"), drawn=False)
    assert not found.bad, found
    assert (found.lost_answers, found.lost_commits) == (0, 0)

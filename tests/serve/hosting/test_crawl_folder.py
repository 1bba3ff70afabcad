"""Which crawls there are: names lead to nothing outside of the folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lagotto.base.errors import InputError, NotACrawl
from lagotto.serve.crawl_folder import CrawlFolder, name_of


@pytest.fixture
def folder(harvest: Path, tmp_path: Path) -> Path:
    """A folder with a crawl, a link to another one outside, and things that are no crawls."""
    inside = tmp_path / "crawls"
    shutil.copytree(harvest / "birds", inside / "birds")
    (inside / "empty").mkdir()
    (inside / "file").write_text("x")
    (inside / "away").symlink_to(harvest / "birds")
    return inside


def test_a_folder_of_crawls(folder: Path) -> None:
    crawls = CrawlFolder([str(folder)])
    assert crawls.locations() == {"birds": str(folder / "birds")}
    assert crawls.location("birds") == str(folder / "birds")


@pytest.mark.parametrize(
    "name", ["away", "empty", "file", "..", "../crawls/birds", "birds/", "", ".", "birds/../birds"]
)
def test_names_that_lead_nowhere(folder: Path, name: str) -> None:
    with pytest.raises(NotACrawl, match="there is no crawl"):
        CrawlFolder([str(folder)]).location(name)


def test_single_crawls_are_told_apart(folder: Path, harvest: Path) -> None:
    crawls = CrawlFolder([str(harvest / "birds"), str(folder / "birds"), str(folder)])
    assert crawls.locations() == {
        "birds": str(folder / "birds"),
        "birds-2": str(harvest / "birds"),
        "birds-2-2": str(folder / "birds"),
    }


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("postgresql://me:secret@db.example/crawls?crawl=solar", "solar"),
        ("postgresql://db.example/crawls?crawl=a%20b%2F..%2Fc", "a-b-..-c"),
        ("postgresql://db.example/crawls", "crawls"),
        ("postgresql://db.example", "crawl"),
        ("/srv/crawls/birds/", "birds"),
    ],
)
def test_names_of_single_crawls(location: str, name: str) -> None:
    assert name_of(location) == name


def test_places_for_new_crawls(folder: Path, harvest: Path) -> None:
    crawls = CrawlFolder([str(folder)])
    assert crawls.new_place("owls-2.b") == folder / "owls-2.b"
    for name in ("birds", "empty", "file", "away"):
        with pytest.raises(InputError, match="already"):
            crawls.new_place(name)
    for name in ("", ".hidden", "../x", "a/b", "a b", "x" * 65, "-x", "a\n"):
        with pytest.raises(InputError, match="cannot be the name"):
            crawls.new_place(name)
    with pytest.raises(InputError, match="single crawls"):
        CrawlFolder([str(harvest / "birds")]).new_place("owls")


def test_locations_that_are_no_crawls(tmp_path: Path) -> None:
    with pytest.raises(NotACrawl, match="neither a crawl nor a folder"):
        CrawlFolder([str(tmp_path / "none")])
    (tmp_path / "a").mkdir()
    with pytest.raises(InputError, match="both folders"):
        CrawlFolder([str(tmp_path), str(tmp_path / "a")])

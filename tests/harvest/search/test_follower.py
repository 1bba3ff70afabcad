"""The index follows its crawl: new pages, other texts, other verdicts, whatever kills it meanwhile."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import lagotto
from lagotto.base.views import StoredPage
from lagotto.harvest.search import Search, follower, index
from lagotto.harvest.search.follower import catch_up, open_index
from lagotto.harvest.search.index import PageIndex, Writer, locked
from lagotto.store import storage_at
from tests.conftest import PROJECT
from tests.harvest.search.birds import GERMAN, HERON, STORK, WIND, Birds
from tests.store import small_crawl


def found(crawl: Birds, query: str) -> list[str]:
    return sorted(hit.url for hit in lagotto.search(crawl.directory, query, near_duplicates="keep").hits)


def test_pages_are_added_as_they_come(tmp_path: Path) -> None:
    crawl = Birds(tmp_path / "crawl", (HERON,))
    assert found(crawl, "grey") == [HERON]
    crawl.fetch(STORK, "http://dead.example/", WIND)
    assert found(crawl, "grey") == sorted([HERON, STORK, WIND])
    made = PageIndex.open(crawl.directory / "index")
    assert (made.state.page, made.searcher.num_docs) == (4, 4)
    crawl.close()


def test_a_changed_text_takes_the_place_of_the_old_one(birds: Birds) -> None:
    assert found(birds, "roofs") == [STORK]
    birds.change(STORK, "Storks nest on chimneys.")
    assert found(birds, "roofs") == []
    assert found(birds, "chimneys") == [STORK]
    assert found(birds, "stork") == [STORK]


def test_marks_and_new_judgements_count_at_once(birds: Birds) -> None:
    assert WIND not in found(birds, "relevant:yes")
    birds.mark(WIND, True)
    assert WIND in found(birds, "relevant:yes")
    birds.judge(p1=0.2, p2=0.7)
    assert found(birds, "relevant:no") == [HERON]
    scores = {hit.url: hit.score for hit in lagotto.search(birds.directory, "relevant:yes").hits}
    assert scores[STORK] == pytest.approx(0.5 + 0.5 * 0.7)
    assert scores[WIND] == pytest.approx(1.0)


def test_a_page_is_written_again_only_if_its_verdict_changed(
    birds: Birds, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []

    class Noting(Writer):
        def put(self, stored: StoredPage, *, again: bool = False) -> None:
            written.append(stored.row.url)
            super().put(stored, again=again)

    monkeypatch.setattr(index, "Writer", Noting)
    found(birds, "grey")
    assert len(written) == 5
    birds.judge(p1=0.8, p2=0.1, p3=0.9)
    found(birds, "grey")
    assert written[5:] == [STORK]


def test_many_commits_lose_and_double_nothing(birds: Birds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "COMMIT_EVERY", 2)
    monkeypatch.setattr(follower, "TELL_EVERY", 3)
    told: list[int] = []
    with Search(birds.directory, progress=told.append) as search:
        assert search.search("language:en", near_duplicates="keep").total == 4
    assert told == [3]


def test_another_process_that_writes_is_not_waited_for(tmp_path: Path) -> None:
    crawl = Birds(tmp_path / "crawl", (HERON,))
    assert found(crawl, "grey") == [HERON]
    crawl.fetch(STORK)
    folder = crawl.directory / "index"
    with storage_at(crawl.directory).reader() as reader:
        opened, _ = open_index(folder, reader)
        assert opened is not None
        with locked(folder, wait=False) as held:
            assert held
            assert not catch_up(reader, opened)
            assert found(crawl, "grey") == [HERON]
        assert catch_up(reader, opened)
    assert found(crawl, "grey") == [HERON, STORK]
    crawl.close()


def test_events_that_change_no_page_are_not_written(birds: Birds) -> None:
    found(birds, "grey")
    before = (birds.directory / "index" / "meta.json").stat().st_mtime_ns
    birds.judge()
    assert found(birds, "turbines") == [WIND]
    assert (birds.directory / "index" / "meta.json").stat().st_mtime_ns == before


def damage(folder: Path, kind: str) -> None:
    segments = [
        path for path in folder.iterdir() if path.suffix in (".idx", ".term", ".store", ".fast", ".pos")
    ]
    match kind:
        case "meta":
            (folder / "meta.json").write_text("{")
        case "cut":
            for path in segments:
                path.write_bytes(path.read_bytes()[:7])
        case "missing":
            for path in segments:
                path.unlink()
        case "overwritten":
            for path in segments:
                path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.parametrize("kind", ["meta", "cut", "missing", "overwritten"])
def test_a_damaged_index_is_made_anew_and_said_so(birds: Birds, kind: str) -> None:
    found(birds, "grey")
    damage(birds.directory / "index", kind)
    again = lagotto.search(birds.directory, "stork")
    assert [hit.url for hit in again.hits] == [STORK]
    assert [note.partition(":")[0] for note in again.notes] == ["the search index was made anew"]
    assert lagotto.search(birds.directory, "stork").notes == []


def test_an_index_of_another_version_is_made_anew(birds: Birds, monkeypatch: pytest.MonkeyPatch) -> None:
    found(birds, "grey")
    monkeypatch.setattr(index, "VERSION", index.VERSION + 1)
    [note] = lagotto.search(birds.directory, "stork").notes
    assert "another version" in note


def test_an_index_of_another_crawl_is_made_anew(tmp_path: Path) -> None:
    first = Birds(tmp_path / "first", (HERON,))
    found(first, "grey")
    first.close()
    second = Birds(tmp_path / "second", (WIND, STORK))
    (first.directory / "index").rename(second.directory / "index")
    again = lagotto.search(second.directory, "heron")
    assert [hit.url for hit in again.hits] == [STORK]
    assert "another crawl" in again.notes[0]
    second.close()


def test_rebuilding_on_demand_says_nothing(birds: Birds) -> None:
    found(birds, "grey")
    again = lagotto.search(birds.directory, "stork", rebuild=True)
    assert (again.total, again.notes) == (1, [])


def test_words_are_stemmed_in_the_main_language(tmp_path: Path) -> None:
    crawl = Birds(tmp_path / "crawl", (GERMAN,))
    assert found(crawl, "flacher Gewässer OR Wassers") == [GERMAN]
    assert PageIndex.open(crawl.directory / "index").state.language == "de"
    crawl.close()


@pytest.mark.parametrize("step", [1, 8, 9, 10, 17, 40])
def test_killed_at_any_step_nothing_is_lost_or_doubled(tmp_path: Path, step: int) -> None:
    small_crawl.crawl(tmp_path / "crawl")
    command = [sys.executable, "-m", "tests.harvest.search.killed", str(tmp_path / "crawl"), str(step)]
    for _ in range(2):
        assert subprocess.run(command, cwd=PROJECT).returncode == -signal.SIGKILL
    with Search(tmp_path / "crawl") as search:
        found = search.search("page", n=small_crawl.PAGES, near_duplicates="keep")
    assert sorted(hit.page for hit in found.hits) == list(range(1, small_crawl.PAGES + 1))

"""The doctor finds what is wrong in every file, and finds nothing wrong with a sound crawl."""

from __future__ import annotations

import gzip
import os
import sqlite3
from pathlib import Path

import pytest

from lagotto.base.errors import CrawlDirectoryError
from lagotto.base.protocols.storage import Finding, Severity
from lagotto.store.sqlite import database
from lagotto.store.sqlite.doctor import accept, examine
from tests.store.blocking import Blocking
from tests.store.crawls import a_crawl


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    a_crawl(tmp_path)
    (tmp_path / "config.toml").write_text('strategy = "bfs"\n')
    return tmp_path


def worst(directory: Path) -> list[Finding]:
    return [finding for finding in examine(directory) if finding.severity is not Severity.GOOD]


def test_a_sound_crawl(crawl: Path) -> None:
    sentences = [finding.sentence for finding in examine(crawl)]
    assert worst(crawl) == []
    assert sentences == [
        "The last process closed it cleanly.",
        "The database is whole: 8 URLs known, 5 of them concluded.",
        f"{crawl / 'warc' / 'lagotto-00000.warc.gz'} is whole: 4 answers.",
        f"{crawl / 'config.toml'} can be read.",
    ]


def test_pages_that_broke_the_parser(crawl: Path) -> None:
    with sqlite3.connect(crawl / "crawl.db") as db:
        db.execute("UPDATE pages SET reason = 'parse-crash' WHERE page = 2")
    db.close()
    accept(crawl)
    [finding] = worst(crawl)
    assert finding.severity is Severity.WARNING
    assert finding.sentence.startswith("1 pages were given up because they break the parser")


def test_no_crawl(tmp_path: Path) -> None:
    findings = worst(tmp_path)
    assert [finding.severity for finding in findings] == [Severity.NOTE, Severity.ERROR]
    assert "no crawl" in findings[1].sentence
    assert list(tmp_path.iterdir()) == []


def test_a_running_and_a_killed_crawl(crawl: Path) -> None:
    store = Blocking.open(crawl)
    [running] = worst(crawl)
    assert running == Finding(Severity.NOTE, f"Process {os.getpid()} is crawling in it now.")
    store.kill()
    [killed] = worst(crawl)
    assert "was killed while crawling" in killed.sentence


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("DELETE FROM pages WHERE page = 2", "pages are missing"),
        ("DELETE FROM urls WHERE seq = 5", "URLs are missing"),
        ("UPDATE urls SET page = 4 WHERE seq = 1", "concluded URLs have no page"),
        ("UPDATE urls SET page = NULL WHERE seq = 1", "belong to no URL"),
        ("INSERT INTO frontier SELECT host, score, seq FROM urls WHERE seq = 1", "another score"),
        (
            "INSERT INTO swept SELECT 'frontier', host >> 32, 99 FROM urls WHERE page IS NULL",
            "from the frontier",
        ),
    ],
)
def test_tables_that_do_not_agree(crawl: Path, change: str, sentence: str) -> None:
    with sqlite3.connect(crawl / database.FILE) as db:
        db.execute(change)
    db.close()
    accept(crawl)
    assert any(sentence in finding.sentence for finding in worst(crawl))
    assert {finding.severity for finding in worst(crawl)} == {Severity.ERROR}


def test_every_kind_of_broken_warc(crawl: Path) -> None:
    path = crawl / "warc" / "lagotto-00000.warc.gz"
    whole = path.read_bytes()
    path.write_bytes(whole + b"torn")
    assert [finding.severity for finding in worst(crawl)] == [Severity.NOTE]
    path.write_bytes(whole[:-10])
    [lost] = worst(crawl)
    assert (lost.severity, "the answers of 1 pages are lost" in lost.sentence) == (Severity.ERROR, True)
    path.unlink()
    [lost] = worst(crawl)
    assert lost.severity is Severity.ERROR
    assert "is missing: the answers of 4 pages are lost" in lost.sentence
    for offset in range(20, len(whole), len(whole) // 40):
        flipped = bytearray(whole)
        flipped[offset] ^= 0x10
        path.write_bytes(flipped)
        # gzip keeps no checksum of its own header, where the time, the name and the system stand.
        assert worst(crawl) or harmless(whole, bytes(flipped)), f"byte {offset}"


def harmless(whole: bytes, flipped: bytes) -> bool:
    return gzip.decompress(whole) == gzip.decompress(flipped)


def test_a_configuration_that_a_power_cut_has_emptied(tmp_path: Path) -> None:
    Blocking.create(tmp_path, config=b'strategy = "bfs"\n').close()
    path = tmp_path / "config.toml"
    whole = path.read_bytes()
    path.write_bytes(b"")
    assert [finding.severity for finding in worst(tmp_path)] == [Severity.NOTE]
    accept(tmp_path)
    assert path.read_bytes() == whole == b'strategy = "bfs"\n'
    path.write_bytes(b'strategy = "b')
    with pytest.raises(CrawlDirectoryError, match="cannot be accepted"):
        accept(tmp_path)
    path.unlink()
    accept(tmp_path)
    assert path.read_bytes() == whole


def test_a_broken_configuration(crawl: Path) -> None:
    (crawl / "config.toml").write_text("strategy = ")
    [finding] = worst(crawl)
    assert (finding.severity, "config.toml" in finding.sentence) == (Severity.ERROR, True)

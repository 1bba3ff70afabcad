"""`lagotto crawl` and what looks at its results, with good and with bad input."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.crawling.config import load
from lagotto.store.sqlite.lock import Lock
from tests.cli.conftest import Run
from tests.servers import Served, demo_served

WORDS = "truffles mushroom fungi"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """The demo web behind a proxy, in a process of its own."""
    with demo_served() as served:
        yield served


@pytest.fixture
def crawled(run: Run, server: Served, tmp_path: Path) -> Path:
    """A crawl of thirty pages."""
    options = [*server.options("truffles"), "--strategy", "best-first", "--max-pages", 30]
    done = run("crawl", WORDS, *options, "-o", "crawl")
    assert done.code == 0, done.err
    return tmp_path / "crawl"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--strategy", "nope"],
            "no strategy 'nope'",
        ),
        (["crawl", WORDS, "-o", "d", "--seed", "not a url"], "not an http or https URL"),
        (["crawl", WORDS, "-o", "d", "--seed", "ftp://a.example/"], "not an http or https URL"),
        (["crawl", "-o", "d"], "no seed"),
        (["crawl", "-o", "d", "--seed", "http://a.example/"], "no topic"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--max-pages", "-1"], "not be negative"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--concurrency", "0"], "at least 1"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--include", "("], "regular expression"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--allow-private", "x"], "x"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--option", "x"], "NAME=VALUE"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--option", "x=1"], "no option 'x'"),
        (
            [
                "crawl",
                WORDS,
                "-o",
                "d",
                "--seed",
                "http://a.example/",
                "--strategy",
                "bfs",
                "--prefer",
                "hosts",
            ],
            "no option 'prefer'",
        ),
        (
            ["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--option", "ridge=a"],
            "takes a float",
        ),
        (["crawl", WORDS, "-o", "d", "--seeds-file", "missing.txt"], "seeds file"),
        (["crawl", WORDS, "-o", "d", "--seeds-file", "/dev/null"], "no URL in /dev/null"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--agree", "all"], "no seeds"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--max-size", "0"], "at least 1"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--patience", "-1"], "not be negative"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--option", "ridge=nan"], "finite"),
        (
            ["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--warc-size", "-3"],
            "at least 1",
        ),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--timeout", "0"], "more than 0"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--timeout", "nan"], "finite"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--max-time", "inf"], "finite"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--random-seed", "-1"], "negative"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--language", "xx"], "no language 'xx'"),
        (["crawl", WORDS, "-o", "d", "--seed", f"http://a.example/{'x' * 9000}"], "has more than 8,192"),
        (["lab", "serve", "missing.web", "--port", "99999"], "missing.web"),
        (
            ["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--encoder", "none/x"],
            "no encoder folder",
        ),
        (["demo", "-o", "/dev/null"], "not a folder"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--proxy", "http://1.2.3.4:x"], "proxy"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--proxy", "http://["], "proxy"),
        (["crawl", WORDS, "-o", "d", "--config", "missing.toml"], "cannot read the configuration"),
        (["crawl", WORDS, "-o", "d", "--seed", "http://a.example/", "--topic", "none"], "no saved topic"),
        (["resume", "nowhere"], "no crawl in"),
        (["status", "nowhere"], "no crawl in"),
        (["explain", "nowhere", "http://a.example/"], "no crawl in"),
        (["export", "nowhere"], "no crawl in"),
    ],
)
def test_bad_input_gets_a_sentence_and_leaves_nothing(
    run: Run, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    said = run(*arguments)
    assert said.code == 2
    assert sentence in said.err
    assert "Traceback" not in said.err
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("option", "content"),
    [
        ("--example", b"%PDF-1.7 text"),
        ("--counter-example", b"\x89PNG\r\n\x1a\n"),
        ("--query-log", b"\x89PNG\r\n\x1a\n"),
        ("--query-log", "words in UTF-16".encode("utf-16")),
        ("--seeds-file", b"http://a.example/\0"),
        ("--seeds-file", "http://a.example/".encode("utf-16")),
        ("--cookies", b"\x89PNG\r\n\x1a\n"),
    ],
)
def test_binary_files_are_refused(run: Run, tmp_path: Path, option: str, content: bytes) -> None:
    (tmp_path / "file.html").write_bytes(content)
    seed = [] if option == "--seeds-file" else ["--seed", "http://a.example/"]
    said = run("crawl", WORDS, *seed, option, "file.html", "-o", "d")
    assert said.code == 2
    assert "file.html is not a" in said.err
    assert not (tmp_path / "d").exists()


def test_a_seed_that_is_too_long_is_left_out_and_the_others_go_on(run: Run, server: Served) -> None:
    long = f"http://a.example/{'x' * 9000}"
    done = run("crawl", WORDS, "--seed", long, *server.options("truffles"), "--max-pages", 3, "-o", "d")
    assert done.code == 0, done.err
    assert "left out the seed http://a.example/xxx" in done.err
    seeds = len(server.web.topics()["truffles"].seeds)
    assert f"; from {seeds} seeds into" in done.out
    assert len(done.err) < 500
    assert "x" * 200 not in done.out


def test_an_argument_with_a_space_is_a_phrase(run: Run, server: Served, tmp_path: Path) -> None:
    options = [*server.options("truffles"), "--max-pages", 1]
    assert run("crawl", "truffles", "oak forest", *options, "-o", "several").code == 0
    assert run("crawl", "truffles oak", *options, "-o", "alone").code == 0
    topics = [load(tmp_path / name / "config.toml").topic for name in ("several", "alone")]
    assert topics == ['truffles "oak forest"', "truffles oak"]


def test_a_configuration_file_that_is_wrong_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('colour = "red"\n')
    said = run("crawl", WORDS, "-o", "d", "--config", "c.toml")
    assert (said.code, "colour" in said.err) == (2, True)
    (tmp_path / "c.toml").write_text("max_pages = [\n")
    assert "not valid TOML" in run("crawl", WORDS, "-o", "d", "--config", "c.toml").err


def test_an_unreachable_seed(run: Run) -> None:
    said = run("crawl", WORDS, "--seed", "http://127.0.0.1:9/", "-o", "d", "--allow-private", "127.0.0.0/8")
    assert said.code == 2
    assert "no seed could be fetched" in said.err


def test_the_command_line_wins_over_the_configuration_file(run: Run, server: Served, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(f'topic = "{WORDS}"\nmax_pages = 9\nstrategy = "bfs"\n')
    done = run("crawl", "--config", "c.toml", *server.options("truffles"), "-o", "d", "--max-pages", 5)
    assert done.code == 0, done.err
    kept = (tmp_path / "d" / "config.toml").read_text()
    assert "max_pages = 5" in kept
    assert 'strategy = "bfs"' in kept
    assert json.loads(run("status", "d", "--json").out)["pages"] == 5


def test_a_crawl_can_be_looked_at_and_exported(run: Run, crawled: Path) -> None:
    status = run("status", crawled)
    assert "30 with status 200" in status.out
    rows = [json.loads(line) for line in run("export", crawled).out.splitlines()]
    assert sum(row["status"] == 200 for row in rows) == 30
    columns = "seq url final_url status fetched_at relevance relevant title depth parent link_score host"
    facts = "description author published modified canonical license opt_outs"
    assert " ".join(rows[0]) == f"{columns} language fingerprint reason relevance_at_fetch {facts}"
    relevant = run("export", crawled, "--format", "csv", "--relevant-only", "-o", "out.csv", "--with-text")
    assert relevant.code == 0
    assert len(Path("out.csv").read_text().splitlines()) > 5
    assert run("export", crawled, "--format", "folder", "-o", "pages").code == 0
    assert run("export", crawled, "--format", "folder").code == 2
    assert run("export", crawled, "--format", "xml").code == 2
    assert run("doctor", crawled).code == 0


def test_doctor_ends_with_one_where_it_finds_damage(run: Run, crawled: Path) -> None:
    damaged = crawled / "crawl.db"
    damaged.write_bytes(damaged.read_bytes()[:5000])
    said = run("doctor", crawled)
    assert (said.code, said.err) == (1, "")
    assert "error" in said.out
    assert run("doctor", "nowhere").code == 1


def test_options_of_a_strategy_are_added_to_those_of_the_file(
    run: Run, server: Served, tmp_path: Path
) -> None:
    Path("c.toml").write_text("[options]\nridge = 2.0\nlearning = 0.5\n")
    given = [*server.options("truffles"), "--option", "learning=0.6", "--max-pages", 1]
    done = run("crawl", WORDS, "--config", "c.toml", *given, "-o", "d")
    assert done.code == 0, done.err
    kept = (tmp_path / "d" / "config.toml").read_text()
    assert "ridge = 2.0" in kept
    assert "learning = 0.6" in kept


def test_a_demo_that_cannot_be_played_leaves_the_last_one(run: Run) -> None:
    folder = Path("demo-output")
    folder.mkdir()
    for name in (".lagotto-demo", "kept"):
        (folder / name).touch()
    for wrong in (["--topic", "typo"], ["--strategy", "typo"]):
        assert run("demo", *wrong).code == 2
    assert (folder / "kept").exists()


def test_explain_tells_the_whole_story(run: Run, crawled: Path) -> None:
    rows = [json.loads(line) for line in run("export", crawled).out.splitlines()]
    deepest = max(rows, key=lambda row: (row["relevant"] or False, row["depth"]))
    story = run("explain", crawled, deepest["url"]).out
    assert "discovery path" in story
    assert "seed, relevance" in story
    assert story.count("link score") >= deepest["depth"]
    assert "verdict" in story
    assert "text" in story
    assert "parent +" in story
    assert (
        "scope refuses it (file-type: not a page by its file name"
        in run("explain", crawled, "http://a.example/x.jpg").out
    )
    assert "not in the crawl" in run("explain", crawled, "http://never.example/").out


def test_resume_goes_on_with_a_larger_budget(run: Run, server: Served, crawled: Path) -> None:
    done = run("resume", crawled, "--max-pages", 40)
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in run("export", crawled).out.splitlines()]
    assert sum(row["status"] == 200 for row in rows) == 40
    assert len({row["url"] for row in rows}) == len(rows)


def test_a_directory_with_a_crawl_is_not_crawled_over(run: Run, server: Served, crawled: Path) -> None:
    said = run("crawl", WORDS, *server.options("truffles"), "-o", crawled)
    assert said.code == 2
    assert "holds a crawl already" in said.err


def test_a_second_process_is_refused_with_the_first_ones_pid(run: Run, crawled: Path) -> None:
    lock = Lock(crawled)
    try:
        said = run("resume", crawled, "--max-pages", 99)
    finally:
        lock.abandon()
    assert said.code == 2
    assert str(os.getpid()) in said.err


def test_a_newer_store_is_refused_and_left_alone(run: Run, crawled: Path) -> None:
    with sqlite3.connect(crawled / "crawl.db") as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    before = (crawled / "crawl.db").read_bytes()
    said = run("resume", crawled, "--max-pages", 99)
    assert said.code == 2
    assert "newer" in said.err
    assert (crawled / "crawl.db").read_bytes() == before


def test_a_place_that_cannot_be_written_to(run: Run, server: Served) -> None:
    said = run("crawl", WORDS, *server.options("truffles"), "-o", "/proc/nothing/here")
    assert said.code == 2
    assert "Traceback" not in said.err


def test_a_full_disk_loses_nothing(run: Run, server: Served, crawled: Path) -> None:
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = max(path.stat().st_size for path in crawled.rglob("*") if path.is_file())
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, limits[1]))
        said = run("resume", crawled, "--max-pages", 300)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert said.code == 2, said
    assert f"`lagotto resume {crawled}`" in said.err
    assert run("resume", crawled, "--max-pages", 120).code == 0
    rows = [json.loads(line) for line in run("export", crawled).out.splitlines()]
    assert sum(row["status"] == 200 for row in rows) == 120
    assert len({row["url"] for row in rows}) == len(rows)
    assert run("doctor", crawled).code == 0


def test_what_is_preferred_is_an_option_of_the_strategy(run: Run, server: Served, tmp_path: Path) -> None:
    directory = tmp_path / "crawl"
    options = ("--prefer", "hosts", "--max-pages", 5, "-o", directory)
    assert run("crawl", WORDS, *server.options("truffles"), *options).code == 0
    assert load(directory / "config.toml").options == {"prefer": "hosts"}


def test_events_on_standard_output_are_all_that_is_there(run: Run, server: Served) -> None:
    options = [*server.options("truffles"), "--strategy", "bfs", "--max-pages", 3, "--events", "-"]
    done = run("crawl", WORDS, *options, "-o", "crawl")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, events[-1]["type"]) == (0, "finished")
    assert {"page", "finished"} <= {event["type"] for event in events}


@pytest.mark.parametrize("loudness", [[], ["--quiet"], ["--events", "-"]])
def test_the_address_of_metrics_is_said(run: Run, server: Served, loudness: list[str]) -> None:
    options = [*server.options("truffles"), "--strategy", "bfs", "--max-pages", 1, *loudness]
    done = run("crawl", WORDS, *options, "--metrics", 0, "-o", "crawl")
    line = r"^metrics: http://127\.0\.0\.1:[1-9]\d*/metrics$"
    assert (len(re.findall(line, done.out, re.M)), len(re.findall(line, done.err, re.M))) == (
        (0, 1) if loudness else (1, 0)
    )


@pytest.mark.parametrize("loudness", [[], ["--quiet"], ["--verbose"]])
def test_a_webhook_that_was_not_told_is_said_and_logged(
    run: Run, server: Served, tmp_path: Path, loudness: list[str]
) -> None:
    options = [*server.options("truffles"), "--strategy", "bfs", "--max-pages", 1, *loudness]
    done = run("crawl", WORDS, *options, "--webhook", "http://127.0.0.1:9/x", "-o", "crawl")
    sentence = "the webhook was not told of the end: its address is private"
    assert (done.code, done.err.count(sentence)) == (0, 1), done.err
    assert (tmp_path / "crawl" / "lagotto.log").read_text().count(sentence) == 1


@pytest.mark.parametrize(
    "arguments", [["--metrics", "70000"], ["--webhook", "nowhere"], ["--events", "/nowhere/events.jsonl"]]
)
def test_watching_that_is_impossible_is_refused(run: Run, arguments: list[str]) -> None:
    done = run("crawl", WORDS, "-o", "d", "--seed", "http://a.example/", *arguments)
    assert (done.code, done.err.count("\n"), Path("d").exists()) == (2, 1, False), done.err


def test_pdf_files_need_a_library(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    done = run("crawl", "herons", "--seed", "http://127.0.0.1:1/", "--pdf", "-o", tmp_path / "crawl")
    assert (done.code, done.err) == (
        2,
        "lagotto: reading PDF files needs pypdfium2; install it with: pip install pypdfium2\n",
    )
    assert not (tmp_path / "crawl").exists()

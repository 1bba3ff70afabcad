"""`lagotto lab`: what it says, and how it refuses."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.harvest.export import shelf
from tests.lab.small import Small, make_small


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return make_small(tmp_path, extra_labels="http://gone.example/,chess\n")


def compare(run: Run, small: Small, *more: object) -> tuple[int, str, str]:
    files = {"--labels": small.labels, "--topics": small.topics}
    given = [part for name, file in files.items() if name not in more for part in (name, file)]
    return run("lab", "compare", small.web, *given, "--jobs", 1, "-o", small.folder / "out", *more)


def test_compare_says_who_found_most_and_where_the_report_is(run: Run, small: Small) -> None:
    code, out, err = compare(run, small, "--strategies", "best-first", "--budget", 20)
    assert code == 0, err
    assert "1 labels name URLs that the web does not hold" in out
    assert "best-first does best" in out
    assert f"report: {small.folder / 'out' / 'report.html'}" in out
    assert (small.folder / "out" / "report.html").is_file()
    assert "crawling: 10 of 10" in err


def test_refusals_are_sentences(run: Run, small: Small) -> None:
    lost = '{"chess": {"words": "chess", "seeds": ["http://gone.example/"]}}'
    (small.folder / "lost.json").write_text(lost)
    (small.folder / "damaged.web").write_bytes(small.web.read_bytes()[:-1])
    for change, sentence in [
        (("--strategies", "psychic"), "lagotto: there is no strategy 'psychic'; there are: scent"),
        (("--budget", 0), "lagotto: --budget must be at least 1"),
        (
            ("--topics", small.folder / "lost.json"),
            "lagotto: the seed http://gone.example/ of the topic 'chess'",
        ),
        (("--labels", small.topics), "needs the columns url and topic"),
        (("--marks", "ten"), "lagotto: --marks ten is no list of numbers; write it like --marks 1,2"),
    ]:
        code, _, err = compare(run, small, *change)
        assert code == 2
        assert sentence in err
        assert "Traceback" not in err
    code, _, err = compare(run, small._replace(web=small.folder / "damaged.web"))
    assert code == 2
    assert "is damaged; import it again with 'lagotto lab import'" in err


def test_a_crawl_directory_is_served_as_it_is(tmp_path: Path) -> None:
    directory = tmp_path / "crawl"
    shelf.make(directory)
    command = [sys.executable, "-m", "lagotto", "lab", "serve", str(directory), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"5 pages in {directory}\n"
        served = process.stdout.readline()
        assert served.startswith(f"{directory} is served at http://127.0.0.1:")
        through = urllib.request.ProxyHandler({"http": served.split()[-1]})
        with urllib.request.build_opener(through).open(shelf.URLS[0]) as answer:
            assert b"<h1>About 1</h1>" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_a_folder_without_pages_is_not_served(run: Run, tmp_path: Path) -> None:
    said = run("lab", "serve", tmp_path)
    assert said.code == 2
    assert f"there are no WARC files in {tmp_path}; name a crawl directory or a file" in said.err

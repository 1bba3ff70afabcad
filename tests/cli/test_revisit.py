"""`lagotto revisit` and `lagotto diff`."""

from __future__ import annotations

import json

import pytest

from lagotto.base.errors import InputError
from lagotto.cli.keep import duration
from tests.cli.conftest import Run
from tests.servers import demo_served


def test_a_round_from_the_command_line(run: Run) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "-o", "c", "--max-pages", 20, "--strategy", "bfs"]
        assert run("crawl", "truffles", *options).code == 0
        said = run("revisit", "c", "--max-pages", 10)
        assert said.code == 0, said.err
        assert "10 pages visited: 10 same, 0 changed, 0 gone" in said.out
        assert "visiting 10 pages of c again" in said.err
        assert json.loads(run("revisit", "c", "--json").out)["visited"] == 20
    assert "revisits       30, 0 found a page changed; 0 pages are gone" in run("status", "c").out
    assert "no page is due; the next one is on 20" in run("revisit", "c", "--due").out
    url = json.loads(run("export", "c").out.splitlines()[0])["url"]
    assert "it has not changed since it was fetched" in run("diff", "c", url).out
    assert json.loads(run("diff", "c", url, "--json").out)["lines"] == []


def test_bad_input_is_one_sentence(run: Run) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "-o", "c", "--max-pages", 2, "--strategy", "bfs"]
        assert run("crawl", "truffles", *options).code == 0
    for arguments, sentence in [
        (["revisit", "nowhere"], "there is no crawl in nowhere"),
        (["revisit", "c", "--every", "soon"], "'soon' is no duration"),
        (["revisit", "c", "--every", "1000d"], "from an hour to 90 days"),
        (["diff", "c", "http://never.example/"], "is no page of the crawl"),
    ]:
        said = run(*arguments)
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert sentence in said.err


def test_durations() -> None:
    assert (duration("12h"), duration("7d"), duration("1.5w")) == (43_200, 604_800, 907_200)
    with pytest.raises(InputError):
        duration("7")

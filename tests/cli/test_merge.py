"""`lagotto merge`."""

from __future__ import annotations

from tests.cli.conftest import Run
from tests.servers import demo_served


def test_two_crawls_become_one(run: Run) -> None:
    with demo_served() as server:
        for name, pages in (("a", 20), ("b", 30)):
            options = [*server.options("truffles"), "-o", name, "--max-pages", pages, "--strategy", "bfs"]
            assert run("crawl", "truffles", *options).code == 0
    said = run("merge", "a", "b", "-o", "c")
    assert said.code == 0, said.err
    assert said.out.startswith("c: ")
    assert "go on with `lagotto resume c`" in said.out
    assert "The database is whole" in run("doctor", "c").out
    again = run("merge", "a", "b", "-o", "c")
    assert (again.code, again.err) == (2, "lagotto: c exists already; choose another directory\n")

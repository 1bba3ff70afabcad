"""Exit codes of crawls: 3 if a crawl ended after a handful of pages because nothing was left."""

from __future__ import annotations

import pytest

from lagotto.lab.demo import DemoWeb
from tests.cli.conftest import Run
from tests.servers import demo_served


@pytest.mark.parametrize("loudness", [[], ["--quiet"]])
def test_a_crawl_that_ended_early_says_why_and_has_its_own_exit_code(
    run: Run, demo_web: DemoWeb, loudness: list[str]
) -> None:
    elsewhere = demo_web.topics()["railways"].seeds[0]
    with demo_served() as server:
        options = ["--seed", elsewhere, "--proxy", server.proxy, "--delay", "0", "--strategy", "static"]
        said = run("crawl", "truffles", *options, *loudness, "-o", "c")
        again = run("resume", "c", *loudness)
    assert (said.code, again.code) == (3, 3)
    shown = said.err if loudness else said.out
    assert "ended early: " in shown
    assert "static follows links of relevant pages only" in shown
    assert f"judged off topic by static: {elsewhere}" in shown
    assert bool(said.out) is not bool(loudness)

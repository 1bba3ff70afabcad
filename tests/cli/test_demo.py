"""`lagotto demo`, and `lagotto status` on what it leaves."""

from __future__ import annotations

import json
import re

from lagotto.lab.demo.play import LEGEND
from tests.cli.conftest import Run
from tests.conftest import PROJECT


def test_the_demo_and_status_agree(run: Run) -> None:
    said = run("demo", "--max-pages", 60)
    assert said.code == 0, said.err
    assert "claimed, estimate: pages on topic and recall by the crawl itself" in said.out
    for strategy in ("bfs", "scent"):
        row = re.search(
            rf"^{strategy} +(\d+) +(\d+) +(\d+)% +(\d+)% +(\d+) +(\d+%|-) ", said.out, re.MULTILINE
        )
        assert row is not None, said.out
        status = json.loads(run("status", f"demo-output/{strategy}", "--json").out)
        judging = status["judging"]
        assert (int(row[1]), int(row[5])) == (status["pages"], status["relevant"])
        assert row[6] == ("-" if judging is None else f"{judging['recall']:.0%}")
        if judging is not None:
            assert judging["relevant"] == status["relevant"]
            shown = run("status", f"demo-output/{strategy}").out
            assert f"recall about {judging['recall']:.2f}" in shown
    assert "(try: lagotto status demo-output/scent)" in said.out


def test_the_readme_shows_the_columns_and_the_legend_of_the_demo(run: Run) -> None:
    readme = (PROJECT / "README.md").read_text()
    said = run("demo", "--max-pages", 20, "--strategy", "bfs")
    lines = [line.rstrip() for line in said.out.splitlines()]
    headings = next(line for line in lines if line.startswith("strategy "))
    assert headings in readme
    for line in LEGEND:
        assert line in lines
        assert line in readme
    # The table of the README has the same columns, and its recall is that of its relevant pages.
    shown = re.search(r"^(\d+) of the web's pages.*?^scent +(\d+) +(\d+) +\d+% +(\d+)% ", readme, re.M | re.S)
    assert shown is not None
    relevant, _, found, recall = map(int, shown.groups())
    assert round(100 * found / relevant) == recall

"""`lagotto report`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.harvest.subtopics.made import MadeCrawl


def test_a_report_is_written_and_not_replaced(run: Run, tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path / "crawl")
    crawl.fetch("solar", "wind")
    crawl.close()
    assert run("report", crawl.directory).out == "the report is in report.html\n"
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!doctype html>")
    again = run("report", crawl.directory)
    assert (again.code, again.err) == (
        2,
        "lagotto: report.html exists; name another file, or replace it with --force\n",
    )
    assert run("report", crawl.directory, "-o", "report.html", "--force").code == 0
    assert run("report", tmp_path / "nothing", "-o", "other.html").code == 2

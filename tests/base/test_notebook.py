"""Results show themselves as HTML in notebooks, and escape what pages say."""

from __future__ import annotations

from pathlib import Path

import lagotto
from lagotto.base import notebook
from lagotto.crawling.revisit.calls import Difference, RevisitResult
from lagotto.lab.checks.store_calls import outcome, seed
from tests.store.blocking import Blocking


def test_a_crawl_shows_its_figures_and_its_best_pages(tmp_path: Path) -> None:
    store = Blocking.create(tmp_path / "crawl").hold_all()
    store.add_seeds([seed()])
    done = outcome(seed())
    assert done.page is not None
    done.page.title = "<script>alert(1)</script>"
    store.commit([done])
    store.close()
    html = lagotto.CrawlResult(tmp_path / "crawl", "a < b", 1, 1)._repr_html_()
    assert "1 pages, 1 relevant (100%); a &lt; b" in html
    assert (
        '<td>0.50</td><td><a href="http://a.example/">&lt;script&gt;alert(1)&lt;/script&gt;</a></td>' in html
    )


def test_a_crawl_without_relevant_pages_shows_no_table(tmp_path: Path) -> None:
    Blocking.create(tmp_path / "crawl").close()
    assert "<table>" not in lagotto.CrawlResult(tmp_path / "crawl", "nothing", 0, 0)._repr_html_()


def test_revisits_and_differences() -> None:
    result = RevisitResult("<d>", "done", 6, 1, 2, 3, 0, 0, 5)
    assert "<th>visited</th><th>same</th><th>changed</th>" in result._repr_html_()
    assert "<p>&lt;d&gt;: done</p>" in result._repr_html_()
    html = Difference("http://a.example/", [], ["-<b>", "+c"])._repr_html_()
    assert "<pre>-&lt;b&gt;\n+c</pre>" in html
    assert "one version only" in Difference("http://a.example/", [], [])._repr_html_()


def test_only_web_addresses_become_links() -> None:
    assert notebook.link("javascript:alert(1)", "a & b") == "a &amp; b"

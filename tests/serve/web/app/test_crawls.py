"""All crawls: list, comparison, exports, report."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lagotto.harvest.export.cdxj import write_cdxj
from lagotto.harvest.export.formats import FORMATS, Format
from tests.serve.web.app.conftest import PAGES, Open


def test_the_list_tells_how_each_crawl_stands(address: str, opened: Open) -> None:
    page = opened(address)
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="truffles", exact=True))
    expect(row).to_contain_text("finished")
    expect(row).to_contain_text(str(PAGES))
    expect(row.get_by_role("img")).to_have_accessible_name(re.compile(f"of {PAGES} pages on topic"))
    row.get_by_role("link", name="truffles", exact=True).click()
    expect(page.get_by_role("heading", name="truffles")).to_be_visible()


def test_chosen_crawls_are_compared(address: str, opened: Open) -> None:
    page = opened(address)
    page.get_by_label("Choose truffles", exact=True).check()
    page.get_by_label("Choose truffles-bfs").check()
    comparison = page.get_by_role("region", name="Comparison")
    expect(comparison.get_by_role("columnheader", name="truffles-bfs")).to_be_visible()
    expect(comparison.get_by_role("row", name="Strategy")).to_contain_text("scent")
    expect(comparison.locator("canvas")).to_be_visible()


def test_an_export_is_written_and_downloaded(own_address: str, opened: Open, tmp_path: Path) -> None:
    page = opened(own_address)
    with page.expect_download() as report:
        page.get_by_role("link", name="Report of truffles", exact=True).click()
    assert report.value.suggested_filename == "report.html"
    page.get_by_role("button", name="Export truffles", exact=True).click()
    page.get_by_role("radio", name="JSON lines").check()
    page.get_by_role("dialog").get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    path = tmp_path / "export.jsonl"
    download.value.save_as(path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert rows
    assert all(row["relevant"] for row in rows)


def test_all_formats_are_offered(address: str, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    added = Format(label="Dummy", about="a test", ending="dum", file=write_cdxj, takes=frozenset({"top"}))
    monkeypatch.setitem(FORMATS, "dummy", added)
    page = opened(address)
    page.get_by_role("button", name="Export truffles", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("radio")).to_have_count(len(FORMATS))
    for format in FORMATS.values():
        dialog.get_by_role("radio", name=f"{format.label} {format.about}").check()
        relevant = dialog.get_by_role("checkbox", name="Only pages on topic")
        expect(relevant).to_have_count(int("relevant_only" in format.takes))
        text = dialog.get_by_role("checkbox", name="With the text of each page")
        expect(text).to_have_count(int("with_text" in format.takes))


def test_a_crawl_that_cannot_be_read_says_why(crawls: Path, opened: Open, tmp_path: Path) -> None:
    from tests.serve.web.conftest import served

    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "crawl.db").write_bytes(b"no database" * 100)
    with served(tmp_path) as address:
        page = opened(address)
        expect(page.get_by_role("row", name="broken")).to_contain_text("failed")
        expect(page.locator(".trouble")).not_to_be_empty()


def test_without_crawls_it_says_what_to_do(browser: object, opened: Open, tmp_path: Path) -> None:
    from tests.serve.web.conftest import served

    with served(tmp_path) as address:
        page = opened(address)
        expect(page.get_by_role("heading", name="No crawl yet")).to_be_visible()
        page.locator("main").get_by_role("link", name="Start a crawl").first.click()
        expect(page.get_by_role("heading", name="Start a crawl")).to_be_visible()

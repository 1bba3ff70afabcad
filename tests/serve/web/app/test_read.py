"""Search and read: results, subtopics, the reading view, export of what is chosen."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.serve.web.app.conftest import Open


def test_a_search_finds_pages_with_snippets(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/read")
    expect(page.locator(".result").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("oak")
    expect(page.get_by_text("for “oak”")).to_be_visible()
    expect(page.locator(".snippet mark").first).to_have_text("oak", ignore_case=True)


def test_a_page_is_read_as_text(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/read")
    page.locator(".result .link").first.click()
    view = page.get_by_role("dialog")
    expect(view.locator("article p").first).to_be_visible()
    assert view.locator("article img, article a, article script").count() == 0
    page.keyboard.press("Escape")
    expect(view).to_have_count(0)


def test_chosen_pages_are_exported(own_address: str, opened: Open, tmp_path: Path) -> None:
    page = opened(own_address, "#/crawl/truffles/read")
    for place in (0, 2):
        page.locator(".result input").nth(place).check()
    page.get_by_role("button", name="Export 2 chosen pages").click()
    page.get_by_role("dialog").get_by_role("button", name="Export").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.goto(f"{own_address}/#/crawls")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    path = tmp_path / "chosen.jsonl"
    download.value.save_as(path)
    assert len([json.loads(line) for line in path.read_text().splitlines()]) == 2


def test_a_subtopic_narrows_the_list(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/read")
    subtopics = page.get_by_role("navigation", name="Subtopics").get_by_role("link")
    subtopics.nth(1).click()
    expect(subtopics.nth(1)).to_have_attribute("aria-current", "true")
    expect(page.locator(".result").first).to_be_visible()

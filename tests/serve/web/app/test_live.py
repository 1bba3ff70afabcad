"""Live: figures, curves, the stream of pages, and the controls."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.serve.web.app.conftest import PAGES, Open
from tests.servers import Served


def test_a_finished_crawl_shows_its_figures_and_curves(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/live")
    for label in ("Harvest ratio, last 200", "Overall", "Random sample", "Queue", "Projected end", "Hosts"):
        expect(page.get_by_text(label, exact=True).first).to_be_visible()
    expect(page.get_by_text(f"of {PAGES} at most")).to_be_visible()
    expect(page.locator(".chart canvas")).to_have_count(2)
    expect(page.get_by_role("list", name="Newest pages first").get_by_role("listitem").first).to_be_visible()
    page.get_by_role("button", name="the page is elsewhere").click()
    expect(page.locator(".examples .url").first).to_be_visible()


def test_a_crawl_is_resumed_watched_paused_changed_and_stopped(own_address: str, opened: Open) -> None:
    page = opened(own_address, "#/crawl/truffles/live")
    page.get_by_role("button", name="Budget and delays").click()
    page.get_by_label("Max pages").fill("100000")
    page.get_by_label("Seconds between requests to one host").fill("0.05")
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_role("status").filter(has_text="max-pages 100000")).to_be_visible()
    newest = page.get_by_role("list", name="Newest pages first").get_by_role("listitem").first
    before = newest.inner_text()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("running")
    expect(newest).not_to_have_text(before)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("paused")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("running")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("stopped")


def test_the_screen_says_when_the_server_is_gone(crawls: object, demo: Served, opened: Open) -> None:
    from pathlib import Path

    from tests.serve.web.conftest import served

    with served(Path(str(crawls))) as address:
        page = opened(address, "#/crawl/truffles/live")
        expect(page.locator(".chart canvas")).to_have_count(2)
    expect(page.get_by_role("alert").filter(has_text="The server does not answer.")).to_be_visible()
    expect(page.locator(".chart canvas")).to_have_count(2)

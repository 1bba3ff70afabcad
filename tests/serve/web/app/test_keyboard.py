"""Each screen does its work by keyboard alone."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.serve.web.app.conftest import Open
from tests.servers import Served

MOST_TABS = 250


def reach(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus, and see that the focus is visible."""
    expect(target).to_be_visible()
    wanted = target.element_handle()
    for _ in range(MOST_TABS):
        if wanted.evaluate("element => element === document.activeElement"):
            assert wanted.evaluate("element => getComputedStyle(element).outlineStyle !== 'none'")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached with Tab")


def go(page: Page, key: str, heading: str) -> None:
    """Go to a screen with its shortcut."""
    page.keyboard.press("g")
    page.keyboard.press(key)
    expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()


def test_start_live_and_all_crawls(own_address: str, demo: Served, opened: Open) -> None:
    page = opened(own_address)
    go(page, "n", "Start a crawl")
    words, seeds = demo.web.topics()["birds"]
    reach(page, page.get_by_role("textbox", name="Words"))
    page.keyboard.type(words)
    reach(page, page.get_by_label("URLs to start from"))
    for seed in seeds:
        page.keyboard.type(f"{seed}\n")
    reach(page, page.get_by_label("Max pages"))
    page.keyboard.press("Control+A")
    page.keyboard.type("100000")
    reach(page, page.get_by_role("button", name="Start the crawl"))
    page.keyboard.press("Enter")
    title = page.get_by_role("heading", level=1)
    expect(title).to_contain_text("running")
    reach(page, page.get_by_role("button", name="Pause"))
    page.keyboard.press("Enter")
    expect(title).to_contain_text("paused")
    reach(page, page.get_by_role("button", name="Stop"))
    page.keyboard.press("Enter")
    expect(title).to_contain_text("stopped")
    go(page, "c", "All crawls")
    for name in ("truffles", "truffles-bfs"):
        reach(page, page.get_by_label(f"Choose {name}", exact=True))
        page.keyboard.press("Space")
    expect(page.get_by_role("region", name="Comparison")).to_be_visible()
    reach(page, page.get_by_role("button", name="Export truffles", exact=True))
    page.keyboard.press("Enter")
    reach(page, page.get_by_role("dialog").get_by_role("button", name="Export"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Download")).to_be_visible()


def test_why_and_teach(own_address: str, opened: Open) -> None:
    page = opened(own_address, "#/crawl/truffles/live")
    expect(page.get_by_role("heading", name="truffles")).to_be_visible()
    go(page, "w", "Why")
    reach(page, page.locator(".feed a").first)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Path from the seed")).to_be_visible()
    go(page, "t", "Teach")
    expect(page.get_by_text("1 of 20")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(page.get_by_text("on topic before")).to_be_visible()
    reach(page, page.get_by_role("tab", name="Questions"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Whole hosts")).to_be_focused()
    expect(page.get_by_role("heading", name="Mark all pages of a host")).to_be_visible()


def test_prospect_search_and_map(own_address: str, opened: Open) -> None:
    page = opened(own_address, "#/crawl/truffles/live")
    expect(page.get_by_role("heading", name="truffles")).to_be_visible()
    go(page, "p", "Prospect")
    reach(page, page.locator("tbody input").first)
    page.keyboard.press("Space")
    page.keyboard.press("i")
    expect(page.get_by_role("status").filter(has_text="1 host in")).to_be_visible()
    go(page, "s", "Search and read")
    page.keyboard.press("/")
    page.keyboard.type("oak")
    expect(page.get_by_text("for “oak”")).to_be_visible()
    reach(page, page.locator(".result .link").first)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").locator("article p").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".result .link").first).to_be_focused()
    go(page, "m", "Map")
    expect(page.get_by_text("A larger dot has more pages")).to_be_visible()
    page.keyboard.press("+")
    reach(page, page.get_by_label("Find"))
    page.keyboard.type("truffle.example")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="truffle.example")).to_be_visible()

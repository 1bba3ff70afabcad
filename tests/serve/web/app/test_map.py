"""Map: a graph on WebGL, and the same as a list."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.serve.web.app.conftest import Open


def test_hosts_are_drawn_with_clusters_and_bridges(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/map")
    expect(page.get_by_text("A larger dot has more pages")).to_be_visible()
    expect(page.locator(".map-box canvas").first).to_be_visible()
    expect(page.get_by_role("heading", name="Clusters")).to_be_visible()
    page.get_by_role("button", name="truffle.example", exact=True).last.click()
    expect(page.get_by_role("heading", name="truffle.example")).to_be_visible()
    expect(page.get_by_role("heading", name="Connected with")).to_be_visible()
    page.get_by_role("button", name="Closer").click()


def test_a_name_is_found(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/map")
    find = page.get_by_label("Find")
    find.fill("truffle.example")
    find.press("Enter")
    expect(page.get_by_role("heading", name="truffle.example")).to_be_visible()

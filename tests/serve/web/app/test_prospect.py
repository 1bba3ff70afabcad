"""Prospect: hosts in and out, links, patterns, exclusions with a preview."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.serve.web.app.conftest import Open


def test_hosts_are_decided_in_bulk(own_address: str, opened: Open) -> None:
    page = opened(own_address, "#/crawl/truffles/prospect")
    hosts = page.locator("tbody tr")
    names = [hosts.nth(place).locator("bdi").inner_text() for place in (0, 1)]
    for name in names:
        page.get_by_label(f"Choose {name}", exact=True).check()
    page.keyboard.press("o")
    expect(page.get_by_role("status").filter(has_text="2 hosts out")).to_be_visible()
    page.get_by_label("Decision").select_option("out")
    expect(hosts).to_have_count(2)
    for name in names:
        expect(page.get_by_role("row", name=name)).to_contain_text("out")


def test_hosts_are_ordered_and_searched(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/prospect")
    page.get_by_role("button", name="Citations").click()
    expect(page.get_by_role("columnheader", name="Citations")).to_have_attribute("aria-sort", "descending")
    page.get_by_role("searchbox", name="Find").fill("truffle.example")
    expect(page.locator("tbody tr")).to_have_count(1)


def test_next_links_show_their_scores_and_parts(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/prospect?tab=links")
    page.get_by_role("button", name="link score, show its parts").first.click()
    expect(page.get_by_role("table", name="Parts of the link score").get_by_role("row").first).to_be_visible()


def test_a_pattern_leads_to_an_exclusion_with_a_preview(own_address: str, opened: Open) -> None:
    page = opened(own_address, "#/crawl/truffles/prospect?tab=patterns")
    page.get_by_role("link", name="Exclude").first.click()
    expect(page.get_by_label("Leave out URLs that match")).not_to_have_value("")
    page.get_by_label("Leave out URLs that match").fill("topics")
    expect(page.get_by_text("would be set aside")).to_be_visible()
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("status").filter(has_text="exclude topics")).to_be_visible()
    page.get_by_role("button", name="Take away topics").click()
    expect(page.get_by_text("No pattern.")).to_be_visible()


def test_a_pattern_that_is_none_is_refused_with_a_sentence(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/prospect?tab=exclusions")
    page.get_by_label("Leave out URLs that match").fill("(")
    expect(page.get_by_role("alert")).to_contain_text("(")
    expect(page.get_by_role("button", name="Apply")).to_be_disabled()

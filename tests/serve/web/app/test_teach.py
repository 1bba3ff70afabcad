"""Teach: one key an answer, whole hosts, the topic and the way back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.serve.web.app.conftest import Open


def title(page: Page) -> str:
    return page.locator(".question h2").inner_text()


def test_one_key_answers_and_the_screen_tells_what_changed(own_address: str, opened: Open) -> None:
    page = opened(own_address, "#/crawl/truffles/teach")
    expect(page.get_by_text("1 of 20")).to_be_visible()
    first = title(page)
    page.keyboard.press("y")
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(page.get_by_text("on topic before")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_text("3 of 20")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(page.get_by_text("1 of 20")).to_be_visible()
    assert title(page) == first


def test_a_host_is_marked_as_a_whole(own_address: str, opened: Open) -> None:
    page = opened(own_address, "#/crawl/truffles/teach?tab=hosts")
    row = page.locator(".hosts li").first
    host = row.locator("bdi").inner_text()
    row.get_by_role("button", name=f"All pages of {host} off topic").click()
    expect(page.get_by_role("status").filter(has_text=f"of {host} are marked as off topic")).to_be_visible()
    expect(row).to_contain_text("0 of ")


def test_the_topic_is_edited_and_rolled_back(own_address: str, opened: Open) -> None:
    page = opened(own_address, "#/crawl/truffles/teach?tab=topic")
    page.get_by_label("Words to add, weigh or drop").fill("hazel=2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Drop hazel")).to_be_visible()
    page.get_by_role("tab", name="History").click()
    expect(page.locator(".history").first).to_contain_text("hazel=2")
    page.get_by_role("button", name="Go back to here").last.click()
    expect(page.get_by_role("status").filter(has_text="-hazel: done")).to_be_visible()
    page.get_by_role("tab", name="Topic").click()
    expect(page.get_by_role("button", name="Drop truffles")).to_be_visible()
    expect(page.get_by_role("button", name="Drop hazel")).to_have_count(0)

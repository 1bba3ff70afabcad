"""The frame: signing in, navigation, shortcuts, themes, small screens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.conftest import PROJECT
from tests.serve.web.app.conftest import Open
from tests.serve.web.app.screens import MAIN, SCREENS, screens_in
from tests.serve.web.conftest import TOKEN

WITHOUT_ADDRESS = {"subtopic"}
"""Tabs that only choose another picture on the same screen."""


def test_the_screens_are_those_of_the_dashboard(address: str, opened: Open) -> None:
    """Other tests go over `SCREENS`: a screen or tab that is missing there would not be looked at."""
    page = opened(address, "#/crawl/truffles/live")
    expect(page.get_by_role("heading", name="truffles")).to_be_visible()
    links = page.locator("nav ul a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert links == [screen for screen in SCREENS.values() if "?" not in screen]
    for screen in links:
        page.goto(f"{address}/{screen}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("nav a[aria-current=page] svg path")).to_have_attribute("d", re.compile("^M"))
        tabs = page.get_by_role("tab")
        ids = [tabs.nth(place).get_attribute("data-tab") for place in range(tabs.count())]
        assert [each for each in ids[1:] if each not in WITHOUT_ADDRESS] == [
            other.rpartition("=")[2] for other in SCREENS.values() if other.startswith(f"{screen}?")
        ]


def test_a_screen_that_is_added_is_among_them() -> None:
    assert list(SCREENS)[:3] == ["crawls", "start", "network"]
    added = screens_in(
        '  ["dummy", "A dummy", "y", Dummy],\n', lambda _: '  ["one", "One"],\n  ["two", "Two"],'
    )
    assert added == {"dummy": "#/crawl/truffles/dummy", "two": "#/crawl/truffles/dummy?tab=two"}


def test_every_screen_has_its_heading_in_the_documentation() -> None:
    page = (PROJECT / "docs" / "dashboard.md").read_text()
    names = re.findall(r'^  \["\w+", "([^"]+)", "\w", \w+\],$', MAIN.read_text(), re.MULTILINE)
    assert len(names) == len([screen for screen in SCREENS.values() if "?" not in screen])
    assert [name for name in names if f"## {name}\n" not in page] == []


def test_without_the_token_nothing_is_shown(address: str, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{address}/")
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("the token is wrong")
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="All crawls")).to_be_visible()


def test_the_token_does_not_stay_in_the_address(address: str, opened: Open) -> None:
    assert TOKEN not in opened(address).url


def test_shortcuts_are_listed_and_lead_to_the_screens(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/live")
    expect(page.get_by_role("heading", name="truffles")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Search and read")
    page.keyboard.press("Escape")
    for key, heading in [("t", "Teach"), ("p", "Prospect"), ("s", "Search and read"), ("c", "All crawls")]:
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()


def test_shortcuts_can_be_switched_off(address: str, opened: Open) -> None:
    page = opened(address)
    page.keyboard.press("?")
    page.get_by_label("Single keys are shortcuts").uncheck()
    page.keyboard.press("Escape")
    before = page.locator("html").get_attribute("data-theme")
    page.keyboard.press("d")
    assert page.locator("html").get_attribute("data-theme") == before


def test_the_theme_is_the_systems_until_one_is_chosen(address: str, browser: Browser) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{address}/#token={TOKEN}")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Dark or light").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    context.close()


def test_a_crawl_that_is_not_there_gets_a_sentence(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/nothing/live")
    expect(page.get_by_role("alert")).to_contain_text("there is no crawl 'nothing' here")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_screen_is_wider_than_the_window(width: int, address: str, opened: Open) -> None:
    page = opened(address)
    page.set_viewport_size({"width": width, "height": 800})
    for name, screen in SCREENS.items():
        page.goto(f"{address}/{screen}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("Loading …")).to_have_count(0)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, name

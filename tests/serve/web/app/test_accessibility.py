"""axe-core finds no serious fault on any screen, light or dark."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.serve.web.app.conftest import Open
from tests.serve.web.app.screens import SCREENS

GRAVE = {"serious", "critical"}


@pytest.mark.parametrize(("theme", "options"), [("light", {}), ("dark", {"runOnly": ["color-contrast"]})])
def test_no_screen_has_a_serious_fault(
    theme: Literal["light", "dark"], options: dict[str, Any], address: str, opened: Open
) -> None:
    page = opened(address)
    page.emulate_media(color_scheme=theme)
    found = []
    for name, screen in SCREENS.items():
        page.goto(f"{address}/{screen}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("Loading …")).to_have_count(0)
        for fault in Axe().run(page, options=options).response["violations"]:
            if fault["impact"] in GRAVE:
                found.append((name, fault["id"], [node["html"][:200] for node in fault["nodes"]][:3]))
    assert found == []


def test_the_reading_view_and_dialogs_have_none(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/read")
    page.locator(".result .link").first.click()
    expect(page.get_by_role("dialog").locator("article p").first).to_be_visible()
    reading = Axe().run(page).response["violations"]
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    faults = [*reading, *Axe().run(page).response["violations"]]
    assert [fault["id"] for fault in faults if fault["impact"] in GRAVE] == []

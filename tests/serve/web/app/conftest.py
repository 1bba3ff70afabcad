"""A browser that looks at real crawls of the demo web through a server on loopback.

Every page is watched: an error of a script, a request to another place, a dialog or a breach of the content
security policy fails the test.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

import lagotto
from lagotto.serve.permissions import Permissions
from tests.serve.web.conftest import TOKEN, served
from tests.servers import Served

PATIENCE = 60_000
"""Milliseconds that a screen may take: other tests run at the same time."""
ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # The map needs WebGL, which a machine without a graphics card draws with its processor.
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
PAGES = 130
TOPIC = "truffles"
Open = Callable[..., Page]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium, as Debian installs it."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium is installed; scripts/get-chromium installs it on Debian")
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, *alone])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def crawls(browser: Browser, demo: Served, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two finished crawls, `truffles` and `truffles-bfs`; tests must not change it."""
    folder = tmp_path_factory.mktemp("dashboard")
    words, seeds = demo.web.topics()[TOPIC]
    for name, strategy, pages in [(TOPIC, "scent", PAGES), (f"{TOPIC}-bfs", "bfs", PAGES // 2)]:
        lagotto.crawl(
            words,
            seeds=list(seeds),
            directory=folder / name,
            strategy=strategy,
            max_pages=pages,
            proxy=demo.proxy,
            delay=0.0,
        )
    return folder


@pytest.fixture(scope="session")
def address(crawls: Path) -> Iterator[str]:
    """A server of the finished crawls, for tests that change nothing."""
    with served(crawls) as found:
        yield found


@pytest.fixture
def own_address(crawls: Path, demo: Served, tmp_path: Path) -> Iterator[str]:
    """A server of a copy of the crawls, which may be changed; new crawls go through the demo web's proxy."""
    shutil.copytree(crawls, tmp_path / "crawls")
    with served(tmp_path / "crawls", permissions=Permissions(proxy=demo.proxy)) as found:
        yield found


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


class Watch:
    """What a page did that it must not do."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", lambda request: self._request(request.url, address))
        page.on("console", lambda message: self._console(message.text))

    def _dialog(self, dialog: object) -> None:
        self.faults.append(f"dialog: {dialog}")
        dialog.dismiss()  # type: ignore[attr-defined]

    def _request(self, url: str, address: str) -> None:
        if not url.startswith((f"{address}/", "data:", f"blob:{address}/")):
            self.faults.append(f"request to {url}")

    def _console(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.faults.append(text)


@pytest.fixture
def opened(context: BrowserContext) -> Iterator[Open]:
    """Open a screen of the dashboard: `opened(address, "#/crawl/truffles/live")`."""
    watches: list[Watch] = []

    def open_screen(address: str, screen: str = "#/crawls") -> Page:
        page = context.new_page()
        watches.append(Watch(page, address))
        page.goto(f"{address}/#token={TOKEN}")
        expect(page.get_by_role("heading", name="All crawls")).to_be_visible()
        if screen != "#/crawls":
            page.goto(f"{address}/{screen}")
        return page

    yield open_screen
    assert [fault for watch in watches for fault in watch.faults] == []

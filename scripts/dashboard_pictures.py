"""Take the pictures of docs/dashboard.md: `python scripts/dashboard_pictures.py`.

Crawls the demo web, serves the crawls, and photographs each screen with Chromium.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
import lagotto  # noqa: E402
from tests.serve.web.app.conftest import ARGUMENTS  # noqa: E402
from tests.servers import Served, demo_served  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
TOKEN = "pictures"
COLOURS = 256
LARGEST = 200_000
"""Bytes that a picture may have."""


def finished_crawls(folder: Path, demo: Served) -> None:
    """The crawls that the pictures show."""
    for name, topic, strategy, pages in [
        ("truffles", "truffles", "scent", 600),
        ("truffles-bfs", "truffles", "bfs", 600),
        ("beekeeping", "beekeeping", "hybrid", 300),
    ]:
        words, seeds = demo.web.topics()[topic]
        lagotto.crawl(
            words,
            seeds=list(seeds),
            directory=folder / name,
            strategy=strategy,
            max_pages=pages,
            proxy=demo.proxy,
            delay=0.0,
        )


def start(page: Page) -> None:
    page.get_by_role("textbox", name="Words").fill("truffles mushrooms fungi")
    page.get_by_label("URLs to start from").fill("http://truffle.example/\nhttp://under-the-oak.example/")
    page.get_by_role("button", name="Add ").first.wait_for()
    page.get_by_text("if it stays on the 2 hosts").wait_for()


def live(page: Page) -> None:
    """A crawl that runs."""
    page.get_by_role("button", name="Budget and delays").click()
    page.get_by_label("Pages at most").fill("2000")
    page.get_by_label("Seconds between requests to one host").fill("0.2")
    page.get_by_role("button", name="Change").click()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="Pause").wait_for()
    page.get_by_text("last page just now").wait_for()
    messages = page.get_by_role("button", name="Close message")
    while messages.count():
        messages.first.click()


def why(page: Page) -> None:
    page.locator(".feed a").nth(8).click()
    page.locator(".reading mark").first.wait_for()


def teach(page: Page) -> None:
    page.get_by_text("1 of 20").wait_for()
    page.keyboard.press("y")
    page.get_by_text("2 of 20").wait_for()
    page.keyboard.press("n")
    page.get_by_text("on topic before").wait_for()
    page.locator(".move").first.wait_for()


def prospect(page: Page) -> None:
    for place in (0, 2):
        page.locator("tbody input").nth(place).check()
    page.keyboard.press("i")
    page.locator(".decision.in").first.wait_for()
    page.locator("tbody input").nth(3).check()


def read(page: Page) -> None:
    page.get_by_label("Search the harvest").fill("oak dog")
    page.locator(".snippet mark").first.wait_for()
    page.locator(".result .tag").first.wait_for()


def reading(page: Page) -> None:
    read(page)
    page.locator(".result .link").nth(1).click()
    page.get_by_role("dialog").locator("article p").first.wait_for()
    page.get_by_role("heading", name="Similar pages").wait_for()


def network_map(page: Page) -> None:
    page.get_by_text("A larger dot has more pages").wait_for()
    page.wait_for_timeout(1000)  # sigma draws the last positions


def crawls(page: Page) -> None:
    page.get_by_label("Choose truffles", exact=True).check()
    page.get_by_label("Choose truffles-bfs").check()
    page.get_by_role("region", name="Comparison").locator("canvas").wait_for()


SCREENS: list[tuple[str, str, Callable[[Page], None], str]] = [
    ("start", "#/start", start, "light"),
    ("why", "#/crawl/truffles/why", why, "light"),
    ("teach", "#/crawl/truffles/teach", teach, "light"),
    ("prospect", "#/crawl/truffles/prospect", prospect, "light"),
    ("read", "#/crawl/truffles/read", read, "light"),
    ("reading", "#/crawl/truffles/read", reading, "light"),
    ("map", "#/crawl/truffles/map", network_map, "light"),
    ("crawls", "#/crawls", crawls, "light"),
    ("live", "#/crawl/truffles/live", live, "dark"),
]


def save(name: str, png: bytes) -> None:
    """Write a picture with few colours, which is small and looks the same."""
    path = PICTURES / f"dashboard-{name}.png"
    image = Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    image.save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
    assert path.stat().st_size < LARGEST, path


def photograph(address: str) -> None:
    """All screens, one after the other."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=[*ARGUMENTS, "--no-sandbox"]
        )
        for name, screen, prepare, theme in SCREENS:
            context = browser.new_context(
                viewport={"width": 1280, "height": 860},
                color_scheme="dark" if theme == "dark" else "light",
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.goto(f"{address}#token={TOKEN}")
            page.get_by_role("heading", name="All crawls").wait_for()
            page.goto(f"{address}{screen}")
            prepare(page)
            page.get_by_text("Loading …").first.wait_for(state="detached")
            page.evaluate("scrollTo(0, 0)")
            save(name, page.screenshot())
            if name == "live":
                page.set_viewport_size({"width": 390, "height": 844})
                page.evaluate("scrollTo(0, 0)")
                save("phone", page.screenshot())
                page.get_by_role("button", name="Stop").click()
                page.get_by_role("button", name="Resume").wait_for()
            context.close()
        browser.close()


def main() -> None:
    """Crawl, serve, photograph."""
    with tempfile.TemporaryDirectory() as scratch, demo_served() as demo:
        folder = Path(scratch)
        finished_crawls(folder, demo)
        command = [sys.executable, "-m", "lagotto", "serve", str(folder), "--port", "0", "--token", TOKEN]
        server = subprocess.Popen([*command, "--proxy", demo.proxy], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            opened = re.match(r"open (http://\S+/)", server.stdout.readline())
            assert opened is not None
            photograph(opened[1])
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()

"""Pages are hostile: every payload, in every field of every answer, stays text.

The answers are real ones in which each text is replaced. A list gets a row for each payload, which then
stands in every field of its row; a text outside of lists holds all payloads, one a line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from tests.serve.web.app.conftest import Open
from tests.serve.web.app.screens import SCREENS

LOOK = """() => {
    const own = `a article aside b bdi body button canvas code datalist dd details dialog div dl dt fieldset
        figcaption figure form h1 h2 h3 head header html img input kbd label legend li line link main mark
        meta nav ol option p path progress s script section select small span summary svg table tbody td
        textarea th thead title tr ul`.split(/\\s+/);
    const all = [...document.querySelectorAll("*")];
    const attributes = all.flatMap((element) => [...element.attributes]);
    const leading = attributes.filter(({ name }) => /href|src|action|data$/i.test(name));
    return {
        foreign: all.map((element) => element.localName).filter((name) => !own.includes(name)),
        handlers: attributes.map(({ name }) => name).filter((name) => /^on|^srcdoc$/i.test(name)),
        targets: leading.map(({ value }) => value).filter((value) => !/^(#|\\/|https?:\\/\\/)/i.test(value)),
        images: [...document.images].map((image) => image.getAttribute("src")),
        scripts: [...document.scripts].map((script) => script.getAttribute("src")),
    };
}"""
KEPT = {"state", "kind", "decision"}
"""Fields with few values, which choose what is shown."""
OPEN = {"judged", "matched", "parts", "flipped", "reasons", "traps", "left_out"}
"""Fields whose names come from pages, topics or strategies."""
AT_ONCE = 200


@pytest.fixture(scope="session")
def payloads(lagotto_data: Path) -> list[str]:
    folder = lagotto_data / "conformance" / "xss"
    if not folder.is_dir():
        pytest.skip(f"no payloads in {folder}")
    lines = {line for path in folder.glob("*.txt") for line in path.read_text(errors="replace").splitlines()}
    return sorted(line for line in lines if line.strip())


def poisoned(value: Any, payloads: Sequence[str], one: str | None = None, field: str = "") -> Any:
    """An answer with its texts replaced: by one payload inside of a row, by all of them elsewhere."""
    if isinstance(value, str):
        return "\n".join(payloads) if one is None else one
    if isinstance(value, list) and value and one is None and isinstance(value[0], dict | str):
        return [_numbered(poisoned(value[0], payloads, each), n) for n, each in enumerate(payloads, 1)]
    if isinstance(value, list):
        return [poisoned(each, payloads, one) for each in value]
    if isinstance(value, dict) and field in OPEN:
        names = payloads if one is None else [one]
        return dict.fromkeys(names, next(iter(value.values()), True))
    if isinstance(value, dict):
        return {
            name: each if name in KEPT else poisoned(each, payloads, one, name)
            for name, each in value.items()
        }
    return value


def _numbered(row: Any, number: int) -> Any:
    """Rows are told apart by their numbers."""
    for holder in (row, row.get("page"), row.get("row")) if isinstance(row, dict) else ():
        if isinstance(holder, dict):
            holder.update({name: number for name in ("number", "n", "version") if name in holder})
    return row


def poison(page: Page, payloads: list[str], *, listed: bool) -> None:
    """From now on every answer of the API is poisoned; the list of crawls only if `listed`."""
    seed = {"url": "", "title": "", "snippet": "", "placings": [{"engine": "", "rank": 1}], "priority": 1}
    found = {"id": "1", "state": "done", "result": {"seeds": [seed], "failed": [{"engine": "", "why": ""}]}}

    def answer(route: Route) -> None:
        path = route.request.url.partition("/api/")[2]
        if path == "seeds":
            route.fulfill(status=202, json=poisoned(found, payloads))
            return
        if "/events" in path:
            events = [{"url": each, "reason": each, "page": 10_000 + n} for n, each in enumerate(payloads)]
            lines = [f"id: {n}\nevent: page\ndata: {json.dumps(each)}\n\n" for n, each in enumerate(events)]
            route.fulfill(content_type="text/event-stream", body="".join(lines))
            return
        if path in ("crawls", "jobs") and not listed:
            route.continue_()
            return
        response = route.fetch()
        if "json" in response.headers.get("content-type", ""):
            route.fulfill(response=response, json=poisoned(response.json(), payloads))
        else:
            route.fulfill(response=response)

    page.route(lambda url: "/api/" in url, answer)


def unharmed(page: Page, where: str) -> None:
    """Nothing but the screens' own elements is on the page, and none of them leads elsewhere."""
    seen = page.evaluate(LOOK)
    assert seen["foreign"] == [], where
    assert seen["handlers"] == [], where
    assert seen["targets"] == [], where
    assert set(seen["images"]) <= {"/app/icon.svg"}, where
    assert set(seen["scripts"]) <= {"/app/main.js", "/vendor/graphology.js", "/vendor/sigma.js"}, where


EXPLAINED = "#/crawl/truffles/why?url=http://truffle.example/"


@pytest.mark.parametrize("name", [*SCREENS, "explained"])
def test_payloads_in_every_field_stay_text(
    name: str, payloads: list[str], address: str, opened: Open
) -> None:
    page = opened(address)
    page.goto("about:blank")
    poison(page, payloads, listed=name == "crawls")
    page.goto(f"{address}/{SCREENS.get(name, EXPLAINED)}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("Loading …")).to_have_count(0)
    if name == "exclusions":
        page.get_by_label("Leave out URLs that match").fill("topics")
        expect(page.get_by_text("would be set aside")).to_be_visible()
    if name == "start":
        page.get_by_label("Query", exact=True).fill("birds")
        page.get_by_role("button", name="Ask engines").click()
        expect(page.get_by_text("those that most engines agree on")).to_be_visible()
    if name == "read":
        page.get_by_label("Fold near-duplicates").uncheck()
        page.locator(".result .link").first.click()
        expect(page.get_by_role("dialog").locator("article p").first).to_be_visible()
    if name not in ("network", "map"):
        assert payloads[-1] in (page.locator("main").text_content() or "")
    unharmed(page, name)


def test_names_of_files_and_query_logs_stay_text(payloads: list[str], address: str, opened: Open) -> None:
    page = opened(address, "#/start")
    page.route("**/api/topics/preview", lambda route: route.abort())
    for summary in ("Example pages", "Query log"):
        page.locator("summary", has_text=summary).click()
    files = [
        FilePayload(name=each, mimeType="text/plain", buffer=each.encode())
        for each in payloads
        if "/" not in each and "\0" not in each
    ]
    examples, query_log = page.locator("input[type=file]").all()
    for start in range(0, len(files), AT_ONCE):
        examples.set_input_files(files[start : start + AT_ONCE])
        query_log.set_input_files(files[start])
        expect(page.get_by_role("button", name="Remove ").last).to_be_visible()
    whole = "\n".join(payloads).encode()
    query_log.set_input_files(FilePayload(name="queries.txt", mimeType="text/plain", buffer=whole))
    expect(page.get_by_text("queries.txt, ")).to_be_visible()
    unharmed(page, "files")

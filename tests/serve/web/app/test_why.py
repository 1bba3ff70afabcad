"""Why: path, score parts, judgement, words marked in the text."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.serve.web.app.conftest import Open


def test_a_page_explains_itself(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/why")
    page.locator(".feed a").last.click()
    expect(page.get_by_role("heading", name="Path from the seed")).to_be_visible()
    expect(page.locator(".path li").first).to_contain_text("Seed")
    expect(page.get_by_role("table", name="Parts of the judgement").get_by_role("row").first).to_be_visible()
    expect(page.get_by_text("Relevance now")).to_be_visible()
    expect(page.get_by_text("At the fetch")).to_be_visible()
    expect(page.get_by_text("topic version")).to_be_visible()
    expect(page.locator(".reading mark").first).to_be_visible()


def test_a_link_that_was_not_fetched_explains_itself_too(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/live")
    page.get_by_role("list", name="Best links first").get_by_role("link").first.click()
    expect(page.locator(".figure").first).to_contain_text("queued")
    expect(page.get_by_role("table", name="Parts of the link score").get_by_role("row").first).to_be_visible()


def test_an_unknown_url_gets_a_sentence(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/why")
    page.get_by_role("searchbox", name="URL").fill("http://nowhere.example/")
    page.get_by_role("button", name="Explain").click()
    expect(page.get_by_text("http://nowhere.example/ is not in the crawl")).to_be_visible()


def test_what_is_no_url_gets_a_sentence(address: str, opened: Open) -> None:
    page = opened(address, "#/crawl/truffles/why?url=http://%5B")
    expect(page.get_by_role("alert")).to_contain_text("http://[")


TYPE_AT_ONCE = """url => new MutationObserver((_, watch) => {
    const field = document.querySelector("#why-url");
    if (!field) return;
    watch.disconnect();
    field.value = url;
    field.dispatchEvent(new Event("input", { bubbles: true }));
}).observe(document, { childList: true, subtree: true })"""


def test_what_is_typed_as_soon_as_the_field_is_there_stays(address: str, opened: Open) -> None:
    page = opened(address)
    page.evaluate(TYPE_AT_ONCE, "http://typed.example/")
    page.goto(f"{address}/#/crawl/truffles/why")
    expect(page.locator(".feed a").first).to_be_visible()
    expect(page.get_by_role("searchbox", name="URL")).to_have_value("http://typed.example/")

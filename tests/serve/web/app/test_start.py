"""Start: a topic with its preview, examples, seeds, strategy, limits; or a network."""

from __future__ import annotations

from playwright.sync_api import FilePayload, expect

from tests.serve.web.app.conftest import Open
from tests.servers import Served


def test_a_crawl_is_started_and_comes_in(own_address: str, demo: Served, opened: Open) -> None:
    words, seeds = demo.web.topics()["birds"]
    page = opened(own_address, "#/start")
    page.get_by_role("textbox", name="Words").fill(words)
    expect(page.get_by_role("button", name="Drop feather")).to_be_visible()
    page.get_by_role("button", name="Drop feather").click()
    expect(page.get_by_role("textbox", name="Words")).not_to_have_value(words)
    page.get_by_label("URLs to start from").fill("\n".join(seeds))
    page.get_by_label("Max pages").fill("30")
    page.get_by_label("Delay").first.fill("0")
    expect(page.get_by_text("if it stays on the 2 hosts")).to_be_visible()
    page.get_by_label("Name of the crawl").fill("birds")
    page.get_by_role("button", name="Start the crawl").click()
    expect(page.get_by_role("heading", name="birds")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("finished")


def test_a_like_word_is_added_with_a_click(address: str, opened: Open) -> None:
    page = opened(address, "#/start")
    page.get_by_role("textbox", name="Words").fill("truffles")
    page.get_by_role("button", name="Add ").first.click()
    expect(page.locator(".weights tbody tr")).to_have_count(2)


def test_examples_and_a_query_log_shape_the_topic(address: str, opened: Open) -> None:
    page = opened(address, "#/start")
    page.get_by_text("Example pages").click()
    page.locator("input[type=file]").first.set_input_files(
        [
            FilePayload(
                name="moss.txt", mimeType="text/plain", buffer=b"moss and lichen on old oak trees " * 20
            )
        ]
    )
    expect(page.get_by_role("button", name="Remove moss.txt")).to_be_visible()
    expect(page.locator(".weights")).to_contain_text("lichen")


def test_strategies_explain_their_parameters(address: str, opened: Open) -> None:
    page = opened(address, "#/start")
    page.get_by_role("radio", name="hybrid").check()
    expect(page.locator("details", has_text="Parameters").locator("small").first).not_to_be_empty()


def test_what_cannot_be_started_is_refused_with_a_sentence(address: str, opened: Open) -> None:
    page = opened(address, "#/start")
    page.get_by_role("textbox", name="Words").fill("birds")
    page.get_by_label("URLs to start from").fill("http://one.example/")
    page.get_by_label("Name of the crawl").fill("../outside")
    page.get_by_role("button", name="Start the crawl").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be the name of a crawl")


def test_a_network_is_trained_and_its_error_falls(
    address: str, opened: Open, monkeypatch: object, tmp_path: object
) -> None:
    monkeypatch.setenv("LAGOTTO_HOME", str(tmp_path))  # type: ignore[attr-defined]
    page = opened(address, "#/start?tab=network")
    page.get_by_label("Name").fill("fungi")
    for place, text in enumerate([b"truffle oak spore dog ", b"railway engine track station "]):
        page.locator("input[type=file]").nth(place).set_input_files(
            [
                FilePayload(name=f"{place}{number}.txt", mimeType="text/plain", buffer=text * (5 + number))
                for number in range(6)
            ]
        )
    page.get_by_label("Hidden nodes").fill("4")
    page.get_by_label("Target error").fill("0.01")
    page.get_by_role("button", name="Train").click()
    expect(page.get_by_text("the target is reached")).to_be_visible()
    expect(page.get_by_role("img", name="rounds the error is")).to_be_visible()
    expect(page.locator("dl.facts")).to_contain_text("fungi")

"""Reasons: every one has its facts and its place in the documentation."""

from __future__ import annotations

import pytest

from lagotto.base.reasons import (
    LEFT_OUT,
    REASONS,
    SCHEMES,
    Reason,
    Refused,
    cause_of,
    counted_as,
    describe,
    describe_counted,
    describe_left_out,
    facts_of,
    is_error,
)
from tests.conftest import PROJECT

PAGE = (PROJECT / "docs" / "reasons.md").read_text()


def test_every_reason_has_its_facts() -> None:
    assert list(REASONS) == list(Reason)
    assert list(LEFT_OUT) == list(Refused)


def test_every_reason_is_documented() -> None:
    missing = [name for name in [*Reason, *Refused, *sorted(SCHEMES)] if f"`{name}`" not in PAGE]
    assert not missing


@pytest.mark.parametrize("reason", list(Reason))
def test_words_need_no_code_to_be_understood(reason: Reason) -> None:
    assert describe(reason) == reason.facts.words
    more = " (why)" if reason.facts.detailed else ""
    assert describe(reason, "why") == f"{reason.facts.words}{more}"


def test_a_status_is_named() -> None:
    assert describe(Reason.HTTP_STATUS, "404") == "the server answered with status 404 (Not Found)"
    assert describe(Reason.HTTP_STATUS, "799") == "the server answered with status 799"
    assert describe(Reason.THROTTLED, "429") == "the server answered with status 429 (Too Many Requests)"


def test_urls_are_counted_by_status() -> None:
    assert counted_as(Reason.HTTP_STATUS, 404) == "http-status 404"
    assert counted_as(Reason.DUPLICATE, 200) == "duplicate"
    assert describe_counted("http-status 404") == describe(Reason.HTTP_STATUS, "404")
    assert [is_error(name) for name in ("http-status 404", "redirect", "of-another-version")] == [
        True,
        False,
        True,
    ]


def test_the_cause_is_that_of_robots_txt() -> None:
    said = "robots.txt: proxy Connection refused"
    assert cause_of(Reason.ROBOTS_UNREACHABLE, said) == ("proxy", "Connection refused")
    assert describe(Reason.ROBOTS_UNREACHABLE, said).endswith(
        "be fetched: the proxy cannot be reached or refuses (Connection refused)"
    )
    broken = "robots.txt: it broke off"
    assert cause_of(Reason.ROBOTS_UNREACHABLE, broken) == (Reason.ROBOTS_UNREACHABLE, broken)
    assert describe(Reason.ROBOTS_UNREACHABLE, broken) == "its robots.txt could not be fetched (it broke off)"


def test_what_this_version_does_not_know_is_shown_as_it_is() -> None:
    assert facts_of("of-another-version") is None
    assert describe("of-another-version", "x") == "of-another-version (x)"
    assert describe_left_out("of-another-version") == "of-another-version"
    assert describe_left_out("tel") == "a tel: link"

"""What a user asks for becomes commands, or is refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.config import Config
from lagotto.crawling.frontier import HostRules
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.compose import check_host, compose, host_with_number
from lagotto.crawling.steering.effect import InEffect


def effect() -> InEffect:
    return InEffect(Config(exclude=["/tags/"], max_pages=50), HostRules(blocked={"b.example"}))


def test_all_that_can_be_asked_for() -> None:
    found = compose(
        effect(),
        options={"max_pages": 500, "delay": 2.0},
        add_seeds=["example.org/start"],
        exclude=["/calendar/"],
        unexclude=["/tags/"],
        include=["/wiki/"],
        block_hosts=["Ads.example"],
        unblock_hosts=["b.example"],
        boost_hosts={"a.example": 2},
        limit_hosts={"a.example:8080": 100},
        words="solar=2 -nuclear",
    )
    assert found == [
        commands.SetOptions({"max_pages": 500, "delay": 2.0}),
        commands.AddSeeds(["http://example.org/start"]),
        commands.Exclude("/calendar/"),
        commands.Unexclude("/tags/"),
        commands.Include("/wiki/"),
        commands.BlockHost("ads.example"),
        commands.UnblockHost("b.example"),
        commands.BoostHost("a.example", 2.0),
        commands.LimitHost("a.example:8080", 100),
        commands.EditTopic({"solar": 2.0, "nuclear": 0.0}),
    ]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"options": {"max_pages": -1}}, "negative"),
        ({"options": {"delay": float("nan")}}, "delay"),
        ({"options": {"concurrency": 0}}, "at least 1"),
        ({"options": {"strategy": "bfs"}}, "cannot be changed"),
        ({"options": {"max_page": 5}}, "max_page"),
        ({"add_seeds": ["ftp://a.example/"]}, "not an http or https URL"),
        ({"exclude": ["("]}, "not a valid regular expression"),
        ({"include": ["*"]}, "not a valid regular expression"),
        ({"unexclude": ["/other/"]}, "in effect: /tags/"),
        ({"uninclude": ["/other/"]}, "none is in effect"),
        ({"block_hosts": ["http://a.example/"]}, "is not a host"),
        ({"block_hosts": [""]}, "is not a host"),
        ({"block_hosts": ["a b"]}, "is not a host"),
        ({"unblock_hosts": ["a.example"]}, "in effect: b.example"),
        ({"boost_hosts": {"a.example": float("inf")}}, "cannot be boosted"),
        ({"limit_hosts": {"a.example": -1}}, "cannot be limited"),
        ({"words": "solar=much"}, "must be a number"),
        ({"words": {"solar": -1.0}}, "from 0 up"),
    ],
)
def test_nonsense_is_refused(asked: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        compose(effect(), **asked)


def test_hosts_are_written_as_politeness_sees_them() -> None:
    assert check_host("EXAMPLE.org.") == "example.org"
    assert check_host("example.org:443") == "example.org"
    assert check_host("[::1]:8080") == "[::1]:8080"


def test_a_host_with_a_number() -> None:
    assert host_with_number("a.example:8080=2.5", float) == ("a.example:8080", 2.5)
    for text in ("a.example", "a.example=x", "a.example=2.5"):
        with pytest.raises(InputError, match="HOST=NUMBER"):
            host_with_number(text, int)

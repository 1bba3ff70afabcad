"""What requests may set, and what they may not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.config import fields
from lagotto.serve.permissions import Permissions

FORBIDDEN = {
    "examples": ["/etc"],
    "counter_examples": ["/etc"],
    "query_log": "/etc/passwd",
    "cookies": "/etc/passwd",
    "pages_folder": "/tmp/x",
    "encoder": "/etc",
    "headers": ["X: ${file:/etc/passwd}"],
    "auth": ["a:b@http://c/"],
    "proxy": "http://127.0.0.1/",
    "teacher": "http://127.0.0.1/",
    "ask": 3,
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_files_secrets_and_addresses_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="cannot be set here"):
        Permissions().checked({name: FORBIDDEN[name]})


def test_of_options_that_name_files_or_addresses_only_two_are_allowed() -> None:
    named = {name for name, field in fields().items() if field.option.metavar in ("PATH", "URL", "CIDR")}
    assert {name for name in named if fields()[name].option.http} == {"seeds", "contact"}


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("parsers", 1_000_000, "must be at most 64 here"),
        ("concurrency", 10**9, "must be at most 10,000 here"),
        ("max_size", 10**15, "must be at most 1,073,741,824 here"),
        ("max_pages", 10**18, "must be at most"),
        ("patience", 10.0**9, "must be at most 3,600 here"),
        ("include", ["."] * 101, "at most 100 values here, not 101"),
        ("delay", float("inf"), "finite"),
        ("max_pages", "many", "expected int"),
    ],
)
def test_values_that_would_harm_the_server_are_refused(name: str, value: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        Permissions().checked({name: value})


@pytest.mark.parametrize("name", [name for name, field in fields().items() if field.option.http])
def test_every_number_has_a_largest_value_for_requests(name: str) -> None:
    field = fields()[name]
    if field.number:
        with pytest.raises(InputError, match="must be at most"):
            field.check_request(msgspec.convert(10 * field.most, field.kind, strict=False))


def test_plain_options_pass_under_their_own_names() -> None:
    assert Permissions().checked({"max_pages": 3, "robots": False}) == {"max_pages": 3, "obey_robots": False}
    with pytest.raises(InputError, match="no option"):
        Permissions().checked({"nothing": 1})


@pytest.mark.parametrize(
    ("allowed", "asked", "passes"),
    [
        ((), ["127.0.0.0/8"], False),
        (("127.0.0.0/8",), ["127.0.0.0/8"], True),
        (("127.0.0.0/8",), ["127.1.0.0/16", "127.0.0.1"], True),
        (("127.0.0.0/8",), ["0.0.0.0/0"], False),
        (("::1/128",), ["127.0.0.1"], False),
        (("fd00::/8",), ["fd12::/16"], True),
        (("127.0.0.0/8",), ["no range"], False),
        (("127.0.0.0/8",), "127.0.0.0/8", False),
    ],
)
def test_private_ranges_are_the_operators(allowed: tuple[str, ...], asked: Any, passes: bool) -> None:
    permissions = Permissions(allowed)
    if passes:
        permissions.check_private(asked)
    else:
        with pytest.raises(InputError):
            permissions.check_private(asked)


@pytest.mark.parametrize("engine", ["file:/etc/passwd", " FILE:x", "file"])
def test_engines_read_no_files(engine: str) -> None:
    with pytest.raises(InputError, match="reads a file"):
        Permissions().check_engines(["brave", engine])

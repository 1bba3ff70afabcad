"""What requests may set, and what they may not."""

from __future__ import annotations

from typing import Any

import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.config import fields
from lagotto.serve.permissions import Permissions, may_set

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


def test_new_options_that_name_files_or_addresses_are_refused_too() -> None:
    named = {name for name, field in fields().items() if field.option.metavar in ("PATH", "URL", "CIDR")}
    assert {name for name in named if may_set(fields()[name])} == {"seeds", "contact"}


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

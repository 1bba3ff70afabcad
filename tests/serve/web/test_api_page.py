"""The examples of docs/api.md are true: requests are sent, and answers have the shape that is shown."""

from __future__ import annotations

import re
from typing import Any

import httpx
import msgspec

from tests.conftest import PROJECT

PAGE = PROJECT / "docs" / "api.md"
_EXAMPLE = re.compile(r"^```http\n(GET|POST) (\S+) ?(.*)\n(.*)\n```$", re.MULTILINE)


def differs(shown: Any, given: Any, where: str = "answer") -> str:
    """The first place where an answer has not the shape that is shown; empty if there is none."""
    if isinstance(shown, dict):
        if not isinstance(given, dict):
            return where
        missing = [name for name in shown if name not in given]
        return missing[0] if missing else _first(differs(shown[name], given[name], name) for name in shown)
    if isinstance(shown, list):
        if not isinstance(given, list) or bool(shown) > bool(given):
            return where
        return differs(shown[0], given[0], where) if shown else ""
    number = int | float | None
    same = isinstance(given, number) if isinstance(shown, number) else isinstance(given, type(shown))
    return "" if same else where


def _first(found: Any) -> str:
    return next((place for place in found if place), "")


def test_examples_are_true(writing: httpx.Client) -> None:
    examples = _EXAMPLE.findall(PAGE.read_text())
    assert len(examples) >= 6
    for method, path, body, shown in examples:
        answer = writing.request(method, path, content=body, headers={"content-type": "application/json"})
        place = differs(msgspec.json.decode(shown), answer.json())
        assert not place, (path, place, answer.text)


def test_every_path_in_the_tables_exists(writing: httpx.Client) -> None:
    paths = writing.get("/api/openapi.json").json()["paths"]
    named = re.findall(r"`(?:GET|POST|PATCH|DELETE) ([^\s`?]+)", PAGE.read_text())
    named += re.findall(r"`(\.\.\./[^\s`?]+)", PAGE.read_text())
    assert len(named) > 20
    for path in named:
        whole = path.replace("...", "/api/crawls/{name}")
        assert whole in paths or whole in ("/api/openapi.json",), path

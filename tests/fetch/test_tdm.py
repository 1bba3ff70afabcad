"""`/.well-known/tdmrep.json`: which rule decides, what broken files say, how often it is asked for."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.facts import OptOut, Use
from lagotto.base.records import Failure, Fetched, Reason
from lagotto.fetch.tdm import TdmFiles, read_rules

URL = "http://a.example/x/y"


class Server:
    """Answers requests for the file, and says which were sent."""

    def __init__(self, answer: Fetched | Failure) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def __call__(self, url: str) -> Fetched | Failure:
        self.asked.append(url)
        return self.answer


def found(rules: object) -> Fetched:
    return Fetched(URL, 200, body=json.dumps(rules).encode(), sent_at=1.0)


def rule(location: str, reservation: object = 1) -> dict[str, object]:
    return {"location": location, "tdm-reservation": reservation}


@pytest.mark.parametrize(
    ("rules", "reserved"),
    [
        ([rule("/")], True),
        ([rule("/x/*")], True),
        ([rule("/x/y$")], True),
        ([rule("/z")], False),
        ([rule("/", 0)], False),
        ([rule("/", "1")], True),
        ([rule("/"), rule("/x/", 0)], False),
        ([rule("/x/"), rule("/", 0)], True),
        ({"location": "/"}, False),
        ("nonsense", False),
        ([rule("/", None), {"tdm-reservation": 1}], False),
    ],
)
async def test_the_longest_rule_decides(rules: object, reserved: bool) -> None:
    files = TdmFiles(Server(found(rules)))
    assert await files.fetch(URL) == 1.0
    assert files.opt_outs(URL) == ([OptOut(Use.TDM, "tdmrep.json")] if reserved else [])


async def test_a_file_is_asked_for_once_a_day_and_sooner_if_it_could_not_be_had() -> None:
    now = 0.0
    server = Server(found([rule("/")]))
    files = TdmFiles(server, clock=lambda: now)
    assert not files.known(URL)
    await files.fetch(URL)
    now = 86_000.0
    assert files.known("http://a.example/other")
    assert not files.known("http://b.example/")
    now = 86_401.0
    assert not files.known(URL)
    server.answer = Failure(Reason.TIMEOUT_IDLE, sent_at=2.0)
    assert await files.fetch(URL) == 2.0
    assert (files.known(URL), files.opt_outs(URL)) == (True, [])
    now += 3_601.0
    assert not files.known(URL)
    assert server.asked == ["http://a.example/.well-known/tdmrep.json"] * 2


async def test_what_robots_forbids_is_not_asked_for() -> None:
    server = Server(found([rule("/")]))
    files = TdmFiles(server)
    assert await files.fetch(URL, allowed=False) == 0.0
    assert (server.asked, files.known(URL), files.opt_outs(URL)) == ([], True, [])


async def test_a_request_that_may_be_repeated_leaves_the_file_unknown() -> None:
    failure = Failure(Reason.LOCAL, again=True)
    files = TdmFiles(Server(failure))
    assert await files.fetch(URL) is failure
    assert not files.known(URL)


@pytest.mark.parametrize("body", [b"[" * 100_000, b'[{"location":' + b"[" * 100_000])
def test_a_file_nested_without_end_is_survived(body: bytes) -> None:
    assert read_rules(body) == []


@given(st.binary())
def test_any_file_is_survived(body: bytes) -> None:
    assert isinstance(read_rules(body), list)

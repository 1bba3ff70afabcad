"""Server-sent events: in order, resumed where a client left off."""

from __future__ import annotations

from itertools import islice

import httpx
import msgspec

from tests.serve.web.conftest import PAGES


def numbers(client: httpx.Client, n: int, after: int | None = None, header: str = "") -> list[int]:
    """Numbers of the next n events."""
    params = {} if after is None else {"after": after}
    headers = {"Last-Event-ID": header} if header else {}
    with client.stream("GET", "/api/crawls/birds/events", params=params, headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = (line for line in answer.iter_lines() if line.startswith("id: "))
        return [int(line[4:]) for line in islice(lines, n)]


def test_events_from_the_first_on(reading: httpx.Client) -> None:
    assert numbers(reading, PAGES, after=0) == list(range(1, PAGES + 1))


def test_events_go_on_where_a_client_left_off(reading: httpx.Client) -> None:
    assert numbers(reading, 3, after=5) == [6, 7, 8]
    assert numbers(reading, 3, header="7") == [8, 9, 10]
    assert numbers(reading, 2, after=1, header="20") == [21, 22], "what a browser says counts more"


def test_an_event_has_kind_and_content(reading: httpx.Client) -> None:
    with reading.stream("GET", "/api/crawls/birds/events", params={"after": 0}) as answer:
        lines = list(islice(answer.iter_lines(), 5))
    assert lines[2:4] == ["id: 1", "event: page"]
    assert msgspec.json.decode(lines[4].removeprefix("data: "))["n"] == 1

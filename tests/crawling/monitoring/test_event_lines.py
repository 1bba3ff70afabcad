"""Events as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.base.events import Marked, PageDone
from lagotto.crawling.monitoring.monitor import EventLines


def test_a_line_an_event_is_appended(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    for event in (PageDone("http://a.example/\u2028", 200, relevance=0.5), Marked("http://a.example/", True)):
        lines = EventLines(str(path))
        lines.write(event)
        lines.close()
    first, second = [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
    assert (first["type"], first["url"], first["relevance"]) == ("page", "http://a.example/\u2028", 0.5)
    assert first["at"].endswith("Z")
    assert (second["type"], second["on"]) == ("marked", True)


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    lines = EventLines("-")
    lines.write(Marked("http://a.example/", None))
    lines.close()
    assert json.loads(capfdbinary.readouterr().out)["type"] == "marked"


def test_a_full_disk_ends_the_lines_and_not_the_crawl(caplog: pytest.LogCaptureFixture) -> None:
    lines = EventLines("/dev/full")
    lines.write(Marked("http://a.example/", None))
    lines.write(Marked("http://a.example/", None))
    assert [record.getMessage() for record in caplog.records] == [
        "no more events are written to /dev/full: No space left on device"
    ]


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name another file"):
        EventLines(str(tmp_path))

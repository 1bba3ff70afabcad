"""What an option declares reaches every place that asks for it; a new option needs its declaration alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lagotto.base.options import Change, Field, Option
from lagotto.crawling.config import Config, fields
from lagotto.crawling.steering.apply import change_at_once
from tests.conftest import PROJECT

SOURCES = [
    path.read_text()
    for path in (PROJECT / "src" / "lagotto").rglob("*.py")
    if path.name not in ("config.py", "options.py")
]


def found(tmp_path: Path, *declared: str) -> dict[str, Any]:
    """Where an option that is declared in this way can be found."""
    said = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "dummy_option.py"), *declared],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{PROJECT / 'src'}{os.pathsep}{PROJECT}"},
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(said.stdout))


def test_an_option_of_the_next_start_reaches_every_place(tmp_path: Path) -> None:
    places = found(tmp_path, Change.NEXT_START, "http", "open")
    assert "key_file = 3" in places["toml"]
    assert "| at the next start | yes, at most 10 |" in places["docs"]
    assert (places["crawl"], places["resume"], places["steer"]) == (True, True, False)
    assert (places["steered"], places["resumed"], places["limits"]) == ("", 3, 3)
    assert (places["http"], places["revisit"], places["schema"]) == ("", "", False)
    assert places["too_much"] == "key_file must be at most 10 here, not 11"
    row = places["dashboard"]
    assert (row["settable"], row["form"], row["limit"], row["most"]) == (True, "advanced", True, 10)


def test_an_option_that_changes_at_once_is_steered_and_must_be_taken_up(tmp_path: Path) -> None:
    places = found(tmp_path, Change.AT_ONCE, "http", "open")
    assert (places["crawl"], places["resume"], places["steer"], places["schema"]) == (True, True, True, True)
    assert places["steered"] == ""
    for place in ("taken", "resumed"):
        assert places[place] == "'key_file' is declared to change at once, and nothing here does so"


def test_an_option_that_is_fixed_is_refused_once_a_crawl_has_begun(tmp_path: Path) -> None:
    places = found(tmp_path, Change.NEVER, "no", "open")
    assert (places["crawl"], places["resume"], places["steer"], places["schema"]) == (
        True,
        False,
        False,
        False,
    )
    assert "key-file cannot be changed once a crawl has begun" in places["steered"]
    assert "'key_file' cannot be set here" in places["http"]
    assert "| never | no |" in places["docs"]


def test_a_secret_is_kept_out_of_files_and_away_from_requests(tmp_path: Path) -> None:
    places = found(tmp_path, Change.NEXT_START, "no", "secret")
    assert 'key_file = "${LAGOTTO_KEY}"' in places["toml"]
    assert places["secret"] == {"key_file": "key"}
    assert places["resumed"] == "key", "known to the process that was given it"
    assert "'key_file' cannot be set here" in places["http"]
    assert not places["dashboard"]["settable"]


def test_a_secret_may_not_be_declared_for_requests() -> None:
    with pytest.raises(TypeError, match="do not allow it over HTTP"):
        Option("Key", "Requests", Change.NEXT_START, http=True, secret=True, hide=str)
    with pytest.raises(TypeError, match="declare how to hide it"):
        Option("Key", "Requests", Change.NEXT_START, secret=True)


class Anything:
    """Stands for a worker, and keeps which of its values were set."""

    def __init__(self, kept: list[str]) -> None:
        object.__setattr__(self, "kept", kept)

    def __getattr__(self, name: str) -> Any:
        return Anything(self.kept)

    def __setattr__(self, name: str, value: Any) -> None:
        self.kept.append(name)

    def __call__(self, *_: Any) -> None:
        self.kept.append("called")


@pytest.mark.parametrize("field", fields().values(), ids=lambda field: field.name)
def test_only_what_is_declared_to_change_at_once_is_taken_up_at_once(field: Field) -> None:
    kept: list[str] = []
    worker: Any = Anything(kept)
    if field.option.change == Change.AT_ONCE:
        change_at_once(worker, Config(), field.name)
        assert len(kept) == 1
    else:
        with pytest.raises(NotImplementedError):
            change_at_once(worker, Config(), field.name)


@pytest.mark.parametrize("name", fields())
def test_every_option_is_used(name: str) -> None:
    assert any(re.search(rf"\bconfig(\(\))?\.{name}\b", source) for source in SOURCES)


@pytest.mark.parametrize("field", fields().values(), ids=lambda field: field.name)
def test_every_option_declares_what_makes_sense(field: Field) -> None:
    option = field.option
    assert field.many or option.change != Change.ADDED
    assert option.http or not option.form, "the dashboard cannot set it"
    assert not option.limit or (field.number and option.change == Change.AT_ONCE and option.http)
    assert not option.http or option.metavar not in ("PATH", "FILE", "CIDR")

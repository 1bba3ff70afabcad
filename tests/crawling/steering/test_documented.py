"""docs/steering.md shows what the commands say."""

from __future__ import annotations

import re
import shlex

from tests.cli.conftest import Run, run
from tests.conftest import PROJECT
from tests.servers import demo_served

__all__ = ["run"]
PAGE = PROJECT / "docs" / "steering.md"


def sessions() -> list[tuple[list[str], list[str]]]:
    """Commands of the page with the lines that they print there."""
    found: list[tuple[list[str], list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((shlex.split(line[2:])[1:], []))
            else:
                found[-1][1].append(line)
    return found


def shape(line: str) -> str:
    """A line without what differs from run to run."""
    line = re.sub(r"by \w+ at", "by # at", line)
    return re.sub(r"\d[\d.,:+T-]*", "#", line)


def test_the_commands_of_the_page_say_what_it_shows(run: Run) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "--max-pages", 40, "-o", "truffles"]
        assert run("crawl", "truffles mushroom", *options).code == 0
        for arguments, shown in sessions():
            said = run(*arguments)
            assert said.code == 0, said.err
            printed = {shape(line) for line in said.out.splitlines()}
            # Which links are examples depends on the order in which pages came.
            wanted = {shape(line) for line in shown if not line.startswith(" ")}
            assert wanted <= printed, arguments
    assert any("resume" in arguments for arguments, _ in sessions())

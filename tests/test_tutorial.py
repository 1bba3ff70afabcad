"""Every command of the tutorial, the cookbook and the page for troubleshooting prints what is shown."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, Said, run
from tests.conftest import PROJECT
from tests.doc_sessions import Command, missing, shape, steps
from tests.test_docs import commands, options

__all__ = ["run"]
PORT = "8100"
PAGES = [PROJECT / "docs" / name for name in ("tutorial.md", "troubleshooting.md", "cookbook.md")]
CODES = {"troubleshooting.md": {2, 3}, "tutorial.md": set[int](), "cookbook.md": set[int]()}
"""Exit codes besides 0 that commands of the page have."""


@contextmanager
def serving(command: Command) -> Iterator[str]:
    """Run the command that serves the made-up web, on a free port; gives the port."""
    words = [sys.executable, "-u", "-m", *command.words]
    words[words.index(PORT)] = "0"
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline().strip()
        assert not missing(command.shown, [line])
        found = re.search(r":(\d+);", line)
        assert found is not None, line
        yield found[1]
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def run_python(block: str, port: str, names: dict[str, Any]) -> str:
    """What a Python block prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.replace(PORT, port), "<python block>", "exec"), names)
    return printed.getvalue()


def run_command(command: Command, port: str, run: Run, last: int) -> Said:
    """What a command prints: one of lagotto, or one of the few others that the pages use."""
    match command.words:
        case ["lagotto", *arguments]:
            return run(*(word.replace(PORT, port) for word in arguments))
        case ["echo", "$?"]:
            return Said(0, f"{last}\n", "")
        case ["head", "-n", number, name]:
            return Said(0, "".join(Path(name).read_text().splitlines(True)[: int(number)]), "")
    raise AssertionError(f"the test cannot run: {shlex.join(command.words)}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_the_page_print_what_it_shows(page: Path, run: Run) -> None:
    first, *others = steps(page)
    assert isinstance(first, Command)
    names: dict[str, Any] = {}
    last, codes = 0, set()
    with serving(first) as port:
        for step in others:
            if isinstance(step, str):
                assert run_python(step, port, names).strip()
                continue
            said = run_command(step, port, run, last)
            printed = (said.out + said.err).replace(port, PORT)
            wrong = missing(step.shown, printed.splitlines())
            assert not wrong, f"{shlex.join(step.words)} did not print: {wrong}\n{printed}"
            if step.words == ["echo", "$?"]:
                assert step.shown == [str(last)]
            last = said.code
            codes.add(last)
    assert codes - {0} == CODES[page.name]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_sentences_exist(page: Path) -> None:
    known = commands()
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for line in re.findall(r"`(lagotto [^`]+)`", prose):
        words = line.split()
        name = next(tuple(words[:n]) for n in range(len(words), 0, -1) if tuple(words[:n]) in known)
        assert len(name) > 1, line
        assert {word for word in words if word.startswith("--")} <= options(known[name]), line


def test_shapes_differ_where_words_do() -> None:
    assert shape("12 pages, 3 relevant") == shape("150 pages, 143 relevant")
    assert shape("12 pages") != shape("12 links")
    assert missing(["b", "...", "d"], ["a", "b", "c", "d"]) == ""
    assert missing(["d", "b"], ["a", "b", "c", "d"]) == "b"


@pytest.mark.parametrize(
    "message",
    [
        "no room is left for",
        "is crawling in",
        "only hosts that do not answer are left",
        "waiting for",
        "trap:",
    ],
)
def test_messages_quoted_in_sentences_are_those_of_the_code(message: str) -> None:
    assert f"`{message}`" in PAGES[1].read_text()
    assert any(message in path.read_text() for path in (PROJECT / "src").rglob("*.py"))

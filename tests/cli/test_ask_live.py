"""Questions on a terminal while a crawl runs."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from lagotto.cli.teach import KEYS, Asking
from lagotto.store import storage_at
from tests.servers import demo_served

PROMPT = f"[{KEYS}] ".encode()


def test_lines_wait_while_a_question_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    asking = Asking()
    asking.open = True
    asking.echo("a host was slow")
    assert capsys.readouterr().out == ""
    asking.open = False
    asking.echo("another one")
    assert capsys.readouterr().out == "another one\n"


def test_one_key_answers_takes_back_and_ends(tmp_path: Path) -> None:
    directory = str(tmp_path / "c")
    with demo_served() as server:
        options = [*server.options("truffles"), "--max-pages", "60", "--delay", "0.02", "--ask", "8"]
        shown = typed(["crawl", "truffles mushroom", *options, "-o", directory], "yunq")
    # The second question, and so the first one again after undo.
    assert shown.count(b"is this page on topic?") == 4
    assert b"finished: the budget of 60 pages is used" in shown
    assert b"marks changed" in shown
    assert b"\n" not in shown.replace(b"\r\n", b""), "lines begin at the left while a question waits"
    with storage_at(directory).reader() as reader:
        assert [mark.on for mark in reader.marks()] == [False]


def test_a_crawl_does_not_wait_for_answers(tmp_path: Path) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "--max-pages", "60", "--delay", "0.02", "--ask", "8"]
        shown = typed(["crawl", "truffles mushroom", *options, "-o", str(tmp_path / "c")], "")
    assert shown.count(b"is this page on topic?") == 1
    assert b"60 pages," in shown


def typed(arguments: list[str], keys: str) -> bytes:
    """What a command writes to a terminal where each question is answered by the next key."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "lagotto", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown, left, seen = b"", keys, 0
        with suppress(OSError):  # The other end is closed.
            while piece := os.read(ours, 65536):
                shown += piece
                while left and shown.count(PROMPT) > seen:
                    os.write(ours, left[0].encode())
                    left, seen = left[1:], seen + 1
        os.close(ours)
    assert process.returncode == 0, shown
    return shown

"""The command line, run in this process as a person would run it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from lagotto.cli import main
from lagotto.lab.demo import DemoWeb


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run `lagotto ARGUMENTS` in an empty folder, with an empty library of topics."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAGOTTO_HOME", str(tmp_path / "home"))

    def call(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["lagotto", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as exit:
            code = int(exit.code or 0)
        said = capfd.readouterr()
        return Said(code, said.out, said.err)

    return call


@pytest.fixture(scope="session")
def demo_web() -> DemoWeb:
    """A small web with its truth."""
    return DemoWeb()

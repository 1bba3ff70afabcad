"""The demo's crawls over HTTP."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lagotto.lab.demo.play import play
from lagotto.lab.demo.web import DemoWeb


async def test_more_parser_processes_find_no_fewer_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All hosts answer at once: to ask each of them whenever it is free is to ask most of them in vain."""
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    runs, relevant = await play(tmp_path, DemoWeb(1), ["scent"])
    assert runs[0].fetched == 400
    assert runs[0].found > 0.8 * relevant

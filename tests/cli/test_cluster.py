"""`lagotto crawl --cluster`: options that workers without a terminal cannot obey."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    "options",
    [
        ("--metrics", 0),
        ("--events", "-"),
        ("--webhook", "http://127.0.0.1:9/"),
        ("--ask", 3),
        ("--show-links",),
    ],
)
def test_what_only_one_process_can_do_is_refused(
    run: Run, tmp_path: Path, options: tuple[object, ...]
) -> None:
    said = run("crawl", "heron", "--seed", "http://127.0.0.1:9/", "-o", "c", "--cluster", 2, *options)
    assert said.code == 2
    assert f"{options[0]} cannot be used with --cluster" in said.err
    assert not (tmp_path / "c").exists()

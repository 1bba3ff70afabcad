"""Harvest curves and tables of crawls."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from lagotto.demo.picture import _apart, draw_harvest
from lagotto.demo.runs import Run
from lagotto.demo.summary import comparison_table, sparkline
from lagotto.errors import InputError

GOOD = Run("scent", [True] * 30 + [False, True] * 10)
POOR = Run("bfs", [False, False, False, True, False] * 10)


def test_figures_of_a_run() -> None:
    assert (GOOD.fetched, GOOD.found) == (50, 40)
    assert GOOD.harvest_ratio == pytest.approx(0.8)
    assert POOR.curve()[:6] == [0, 0, 0, 0, 1, 1]
    assert GOOD.segments(5) == [1.0, 1.0, 1.0, 0.5, 0.5]
    assert Run("none", []).harvest_ratio == 0
    assert Run("none", []).segments(5) == []
    assert len(Run("short", [True, False]).segments(16)) == 2


def test_pictures_are_written_with_all_names(tmp_path: Path) -> None:
    png, svg = tmp_path / "harvest.png", tmp_path / "harvest.svg"
    draw_harvest([POOR, GOOD], 45, [png, svg], "Truffles", "on a small web")
    assert png.read_bytes().startswith(b"\x89PNG")
    texts = {element.text for element in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")}
    assert {"Truffles", "on a small web", "scent", "bfs", "ideal", "pages fetched"} <= texts
    assert "40 relevant, 80% harvest" in texts


def test_the_same_runs_give_the_same_picture(tmp_path: Path) -> None:
    paths = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for path in paths:
        draw_harvest([GOOD], 45, [path], "Truffles")
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_odd_runs_can_be_drawn(tmp_path: Path) -> None:
    draw_harvest([], 10, [tmp_path / "a.svg"], "Nothing")
    draw_harvest([Run("none", []), Run("one", [False])], 0, [tmp_path / "b.svg"], "Little")
    draw_harvest(
        [GOOD._replace(name=f"run {number}") for number in range(12)], 45, [tmp_path / "c.png"], "Many"
    )
    assert b"Nothing" in (tmp_path / "a.svg").read_bytes()
    assert b"Little" in (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_other_formats_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.png or \.svg"):
        draw_harvest([GOOD], 45, [tmp_path / "a.gif"], "Truffles")
    with pytest.raises(InputError, match="cannot write"):
        draw_harvest([GOOD], 45, [tmp_path / "none" / "a.png"], "Truffles")


def test_matplotlib_is_imported_only_for_a_picture() -> None:
    script = "import sys, lagotto.demo.picture, lagotto.demo.summary; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@given(st.lists(st.floats(0, 100), min_size=1, max_size=9))
def test_labels_do_not_overlap(heights: list[float]) -> None:
    placed = _apart(sorted(heights, reverse=True), 10)
    assert all(above - below > 9.99 for above, below in pairwise(placed))
    assert placed[-1] >= 0


def test_the_table_has_a_line_a_run() -> None:
    console = Console(width=100, record=True, file=None)
    with console.capture() as capture:
        console.print(comparison_table([POOR, GOOD], 45, "Truffles"))
    lines = capture.get().splitlines()
    assert lines[0].strip() == "Truffles"
    assert lines[2].split()[:5] == ["bfs", "50", "10", "20%", "22%"]
    assert lines[3].split()[:5] == ["scent", "50", "40", "80%", "89%"]
    assert "█" in lines[3]


def test_sparklines_stay_in_their_row() -> None:
    assert sparkline([-1, 0, 0.5, 1, 7]) == "▁▁▅██"
    assert sparkline([]) == ""
    assert sparkline([1, 2], top=2) == "▅█"

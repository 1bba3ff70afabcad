"""Harvest curves and tables of crawls."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from lagotto.base.errors import InputError
from lagotto.lab.demo.play import Run, comparison_table, draw_harvest, sparkline

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


def texts_of(picture: Path) -> set[str | None]:
    return {element.text for element in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")}


def test_the_picture_names_its_lines(tmp_path: Path) -> None:
    picture = tmp_path / "harvest.svg"
    draw_harvest([POOR, GOOD], 45, picture, "Truffles & more", "on a small web")
    expected = {"Truffles & more", "on a small web", "scent", "bfs", "ideal", "pages fetched"}
    assert expected | {"40 relevant, 80% harvest"} <= texts_of(picture)


def test_the_same_runs_give_the_same_picture(tmp_path: Path) -> None:
    paths = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for path in paths:
        draw_harvest([GOOD], 45, path, "Truffles")
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_odd_runs_can_be_drawn(tmp_path: Path) -> None:
    draw_harvest([], 10, tmp_path / "a.svg", "Nothing")
    draw_harvest([Run("none", []), Run("one", [False])], 0, tmp_path / "b.svg", "Little")
    many = [GOOD._replace(name=f"run {number}") for number in range(12)]
    draw_harvest(many, 45, tmp_path / "c.svg", "Many")
    assert "Nothing" in texts_of(tmp_path / "a.svg")
    assert {"Little", "none", "one"} <= texts_of(tmp_path / "b.svg")
    assert {run.name for run in many} <= texts_of(tmp_path / "c.svg")


def test_a_picture_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        draw_harvest([GOOD], 45, tmp_path / "none" / "a.svg", "Truffles")


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

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from lagotto.lab.experiments.measures import Bin
from lagotto.lab.report.reliability import draw_reliability


def test_draws_a_dot_for_each_bin_and_names_the_curves(tmp_path: Path) -> None:
    curves = {"at <fetch>": [Bin(10, 0.1, 0.0), Bin(5, 0.9, 0.4)], "judged again": [Bin(15, 0.5, 0.5)]}
    draw_reliability(curves, tmp_path / "drawn.svg")
    drawn = ElementTree.parse(tmp_path / "drawn.svg")
    names = [element.text for element in drawn.iter() if element.tag.endswith("text")]
    assert {"at <fetch>", "judged again"} <= set(names)
    dots = [element for element in drawn.iter() if element.tag.endswith("circle")]
    assert len(dots) == 3
    first, second, _ = dots
    assert float(first.attrib["r"]) > float(second.attrib["r"])
    assert float(first.attrib["cy"]) > float(second.attrib["cy"])


def test_no_pages(tmp_path: Path) -> None:
    draw_reliability({}, tmp_path / "drawn.svg")
    assert (tmp_path / "drawn.svg").read_text().startswith("<svg")

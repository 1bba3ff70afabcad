from __future__ import annotations

from xml.etree import ElementTree

from lagotto.lab.experiments.measures import Bin
from lagotto.lab.report.learning import reliability_diagram


def test_draws_a_dot_for_each_bin_and_names_the_curves() -> None:
    curves = {"at <fetch>": [Bin(10, 0.1, 0.0), Bin(5, 0.9, 0.4)], "judged again": [Bin(15, 0.5, 0.5)]}
    drawn = ElementTree.fromstring(f"<g>{''.join(reliability_diagram(curves).parts)}</g>")
    names = [element.text for element in drawn.iter() if element.tag.endswith("text")]
    assert {"at <fetch>", "judged again"} <= set(names)
    dots = [element for element in drawn.iter() if element.tag.endswith("circle")]
    assert len(dots) == 3
    first, second, _ = dots
    assert float(first.attrib["r"]) > float(second.attrib["r"])
    assert float(first.attrib["cy"]) > float(second.attrib["cy"])


def test_no_pages() -> None:
    assert not [part for part in reliability_diagram({}).parts if "circle" in part]

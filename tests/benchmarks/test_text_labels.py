"""The main content of labelled pages is found at least as well as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from text_labels import Label, read_labels, read_pages, scores_of

from lagotto.parse.stored import to_markdown, to_text

FLOORS = {False: (0.95, 0.99), True: (0.92, 0.99)}
"""Whether pages were labelled later -> precision and recall that were reached once; they may not fall."""


@pytest.fixture(scope="module")
def labels() -> list[Label]:
    return read_labels()


@pytest.fixture(scope="module")
def pages(lagotto_data: Path, labels: list[Label]) -> dict[str, str]:
    return read_pages(lagotto_data / "webs", labels)


def test_every_label_has_a_page_on_which_its_snippets_stand(
    labels: list[Label], pages: dict[str, str]
) -> None:
    assert len(labels) == len(pages) == 128
    assert all(label.inside for label in labels)
    assert not [label.url for label in labels if set(label.inside) & set(label.outside)]


@pytest.mark.parametrize("later", FLOORS)
def test_the_main_content_is_found_as_well_as_before(
    labels: list[Label], pages: dict[str, str], later: bool
) -> None:
    chosen = [label for label in labels if label.later == later]
    found = scores_of(lambda html, _: to_text(html), chosen, pages)
    precision, recall = FLOORS[later]
    assert found.precision >= precision
    assert found.recall >= recall


def test_markdown_holds_the_same_content(labels: list[Label], pages: dict[str, str]) -> None:
    def plain(html: str, url: str) -> str:
        written = to_markdown(html, url, links=False)
        return "".join(each for each in written if each not in "\\*`_")

    for label in labels:
        for name in ("inside", "outside"):
            snippets = getattr(label, name)
            setattr(label, name, ["".join(each for each in text if each not in "\\*`_") for text in snippets])
    found = scores_of(plain, labels, pages)
    assert found.precision >= 0.94
    assert found.recall >= 0.97, "the rest is in the syntax of tables"

"""How sure a harvest is."""

from __future__ import annotations

from lagotto.base.views import Judging
from lagotto.harvest.report.asked import head
from lagotto.harvest.report.certainty import certainty
from lagotto.harvest.report.facts import Checked
from tests.harvest.report.reading import ReadPage
from tests.harvest.report.test_report import facts_of
from tests.harvest.subtopics.made import MadeCrawl


def judging(**changes: object) -> Judging:
    known: dict[str, object] = {"strategy": "scent", "pages": 80, "last_page": 80, "relevant": 40, "marks": 0}
    known |= {"recall": 0.6, "recall_low": 0.4, "recall_high": 0.8, "naming": 55, "presence": 0.97}
    return Judging(**{**known, **changes})  # type: ignore[arg-type]


def said(crawl: MadeCrawl, found: Judging | None = None, checked: list[Checked] | None = None) -> str:
    facts = facts_of(crawl.directory)
    facts.judging, facts.checked = found, checked or []
    return ReadPage(certainty(facts)).text


def test_marks_give_precision_with_its_interval(crawl: MadeCrawl) -> None:
    marks = [Checked(True, 0.9, True)] * 9 + [Checked(True, 0.7, False)] + [Checked(False, 0.1, True)] * 15
    text = said(crawl, judging(), marks)
    assert "90 %, 95 % interval 60 % to 98 %" in text
    assert "10 pages called on topic" in text
    assert "Calibration" in text
    assert "0 to 0.2 15" in text


def test_without_marks_precision_is_what_the_relevances_add_up_to(crawl: MadeCrawl) -> None:
    text = said(crawl, judging(precision=0.75))
    assert "Nobody has marked a page" in text
    assert "Precision, expected 75 %" in text
    assert "Calibration" not in text


def test_recall_has_its_interval_or_is_not_known(crawl: MadeCrawl) -> None:
    assert "60 %, 90 % interval 40 % to 80 %" in said(crawl, judging())
    assert "too few pages" in said(crawl, judging(recall_low=0.0, recall_high=1.0))
    assert "were not judged again" in said(crawl)


def test_a_topic_that_is_not_there_is_said(crawl: MadeCrawl) -> None:
    assert "yes, with a chance of 97 % 55 pages of 80 name its words." in said(crawl, judging())
    assert "The topic does not seem to be here" in said(crawl, judging(here=False, naming=0))
    assert "Too early to say whether the topic is here" in said(crawl, judging(clear=False))
    assert "yes, as a small topic: 1 page" in said(crawl, judging(narrow=True, relevant=1))


def test_an_address_is_told_as_it_is(crawl: MadeCrawl) -> None:
    best = "http://Wiki.example/wp/b/Bread.htm"
    found = judging(here=False, naming=3, best=best)
    facts = facts_of(crawl.directory)
    facts.judging = found
    for part in (certainty(facts), head(facts)):
        assert f"best {best}; try other seeds" in ReadPage(part).text


def test_the_cut_and_what_lies_near_it_are_shown_beside_precision(crawl: MadeCrawl) -> None:
    text = said(crawl, judging(precision=0.8, precision_low=0.6, precision_high=0.9, cut=0.41, near=7))
    assert "80 %, 90 % interval 60 % to 90 %" in text
    assert "0.41" in text
    assert "7 pages within 0.1 of it" in text

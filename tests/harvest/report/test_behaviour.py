"""How a crawl behaved."""

from __future__ import annotations

from lagotto.harvest.report.behaviour import behaviour
from lagotto.harvest.report.facts import Facts
from tests.harvest.report.reading import ReadPage
from tests.harvest.report.test_report import facts_of
from tests.harvest.subtopics.made import MadeCrawl


def said(facts: Facts) -> str:
    return ReadPage(behaviour(facts)).text


def test_gaps_are_those_between_answers_of_a_host(crawl: MadeCrawl) -> None:
    """Each second brings a page, of four hosts in turns of two pages and then of two again."""
    facts = facts_of(crawl.directory)
    assert facts.pages.requests == facts.pages.answered == 80
    assert sorted(set(facts.pages.gaps)) == [1.0, 7.0]
    assert "80, of which 80 were answered" in said(facts)


def test_failures_are_told_by_reason(crawl: MadeCrawl) -> None:
    facts = facts_of(crawl.directory)
    facts.status.reasons = {"http-status 404": 12, "throttled 429": 3, "duplicate": 5, "robots": 2}
    facts.status.concluded = 100
    text = said(facts)
    assert "Of 100 URLs, 17 brought no page." in text
    assert "the server answered with status 404 (Not Found) 12 12 %" in text
    assert "obeyed; 2 URLs refused" in text
    assert "3 URLs given up because the host had enough" in text


def test_traps_and_hosts_that_want_to_be_left_alone_are_told(crawl: MadeCrawl) -> None:
    facts = facts_of(crawl.directory)
    facts.status.traps = {"a calendar without end": 40}
    facts.waiting = {"a.example": 1e10}
    assert "a calendar without end 40" in said(facts)
    assert "1 host asked to be left alone" in said(facts)

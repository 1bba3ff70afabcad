"""A crawl whose pages are about known subjects, on several hosts that have furniture of their own."""

from __future__ import annotations

import random
from pathlib import Path

from lagotto.base.batch import Batch, NewJudgement
from lagotto.base.records import Judgement, Outcome, Page
from lagotto.base.urls import checksum
from lagotto.lab.checks.store_calls import NOW, seed
from tests.store.blocking import Blocking

SUBJECTS = {
    "solar": "solar panel photovoltaic silicon inverter sunlight roof cell module watt",
    "wind": "wind turbine rotor blade tower gust offshore nacelle gearbox mast",
    "hydro": "dam reservoir penstock river sluice spillway turbine hall valley head flow",
    "battery": "battery lithium electrode anode cathode electrolyte charge storage cycle cell",
}
NAMES = {"solar": "solar panel", "wind": "wind turbine", "hydro": "river dam", "battery": "lithium battery"}
TOPIC = "renewable energy"
CONFIG = f'topic = "{TOPIC}"\nlanguage = "en"\n'.encode()
NOTICE = "Skip to main content"


def page(subject: str, number: int) -> Page:
    """A page about a subject; the same every time."""
    draw = random.Random(f"{subject} {number}")
    words = SUBJECTS[subject].split()
    sentences = [
        f"The {NAMES[subject]} of renewable energy has a {' '.join(draw.choices(words, k=5))} in it."
        for _ in range(12)
    ]
    host = f"site{number % 4}.example"
    title = f"{draw.choice(words).title()}: the {NAMES[subject]}, part {number} | Site {number % 4}"
    text = "\n".join([NOTICE, f"Site {number % 4} menu", *sentences, f"Copyright {2000 + number} all rights"])
    url = f"http://{host}/{subject}/{number}"
    return Page(url, title, text=text, language="en", fingerprint=checksum(url))


class MadeCrawl:
    """The crawl, open to be changed; readers see the changes at once."""

    def __init__(self, directory: Path, *, keep_text: bool = True) -> None:
        self.directory = directory
        self._store = Blocking.create(directory, config=CONFIG, keep_text=keep_text).hold_all()

    def fetch(self, *subjects: str, first: int = 0, last: int = 20, relevance: float | None = 0.9) -> None:
        """Fetch pages of subjects in turn, those of these numbers; without a relevance none is judged."""
        for number in range(first, last):
            for subject in subjects:
                found = page(subject, number)
                self._store.add_seeds([seed(found.url)])
                judgement = None if relevance is None else Judgement(relevance, relevance > 0.5)
                at = NOW + self._store.concluded
                self._store.commit([Outcome(seed(found.url), at, 200, page=found, judgement=judgement)])

    def judge(self, number: int, relevance: float) -> None:
        """Judge a page again."""
        self._store.write(Batch(judgements=[NewJudgement(number, relevance, relevance > 0.5)], model=1))

    def close(self) -> None:
        self._store.close()


def subject_of(url: str) -> str:
    return url.split("/")[3]

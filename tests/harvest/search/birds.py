"""A crawl of a few pages about birds, to be searched, and ways to change it."""

from __future__ import annotations

from pathlib import Path

from lagotto.base.batch import Batch, Mark, NewJudgement
from lagotto.base.records import Found, Judgement, Outcome, Page, Revisit
from lagotto.base.urls import checksum
from lagotto.lab.checks.store_calls import NOW, seed
from tests.store.blocking import Blocking

HERON = "http://docs.birds.example/heron"
STORK = "http://docs.birds.example/stork"
COPY = "http://copies.example/heron"
GERMAN = "http://voegel.example/reiher"
WIND = "http://power.example:8080/wind"
TEXTS = {
    HERON: ("Grey heron", "en", "The grey heron stands in shallow water. Herons fish; a heron may wait."),
    STORK: ("White stork", "en", "Storks nest on roofs. Unlike the grey heron, the white stork glides."),
    COPY: ("Grey heron, copy", "en", "The grey heron stands in shallow water. Herons fish; it may wait."),
    GERMAN: ("Der Graureiher", "de", "Der Graureiher, englisch heron, steht im flachen Wasser."),
    WIND: ("Wind power", "en", "Wind turbines and birds: a grey area. Power from wind, and water power."),
}
HEADINGS = {STORK: ["Nests", "Unlike water birds"]}
RELEVANCE = {HERON: 0.9, STORK: 0.6, COPY: 0.8, GERMAN: 0.7, WIND: 0.1}


class Birds:
    """The crawl, open to be changed; readers see the changes at once."""

    def __init__(
        self, directory: Path, urls: tuple[str, ...] = tuple(TEXTS), *, keep_text: bool = True
    ) -> None:
        self.directory = directory
        self._store = Blocking.create(directory, config=b'topic = "birds"', keep_text=keep_text)
        self._store.hold_all()
        self.fetch(*urls)

    def fetch(self, *urls: str) -> None:
        """Fetch pages, each a day after the one before; a URL without a text is a dead link."""
        for url in urls:
            self._store.add_seeds([seed(url)])
            self._store.commit([self._outcome(url)])

    def _outcome(self, url: str, text: str = "") -> Outcome:
        lease, at = seed(url), NOW + 86_400 * self._store.concluded
        if url not in TEXTS:
            return Outcome(lease, at, 404, "http-status", "404")
        title, language, body = TEXTS[url]
        page = Page(url, title, text=text or body, language=language, fingerprint=checksum(url + text))
        page.headings = HEADINGS.get(url, [])
        relevance = RELEVANCE[url]
        near = HERON if url == COPY else ""
        return Outcome(
            lease, at, 200, page=page, judgement=Judgement(relevance, relevance > 0.5), near_duplicate_of=near
        )

    def change(self, url: str, text: str) -> None:
        """Visit a page again and find another text."""
        self._store.write(Batch(revisits=[Revisit(self._outcome(url, text), Found.CHANGED)]))

    def judge(self, **relevances: float) -> None:
        """Judge pages again, by their numbers: `p1=0.2`."""
        judgements = [NewJudgement(int(name[1:]), each, each > 0.5) for name, each in relevances.items()]
        self._store.write(Batch(judgements=judgements, model=1))

    def mark(self, url: str, on: bool) -> None:
        """Mark a page as on or off topic."""
        self._store.write(Batch(marks=[Mark(url, on)]))

    def close(self) -> None:
        self._store.close()

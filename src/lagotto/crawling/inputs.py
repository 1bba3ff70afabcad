"""What a configuration asks for: where to start, and the topic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lagotto.base.records import SEED_SCORE, Lease
from lagotto.base.urls import LONGEST_SEED, seed_url, shortened
from lagotto.crawling.config import Config
from lagotto.crawling.secrets import drop_user
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.focus.topic import (
    Document,
    Library,
    Topic,
    Vocabularies,
    WeightTable,
    empty_phrases,
    read_document,
    read_folder,
)
from lagotto.focus.topic.query_log import check_query_log
from lagotto.parse.page import parse_page


def seed_urls(config: Config) -> list[str]:
    """Canonical URLs of the seeds, each once, in the order given; too long ones are left out."""
    fitting = [text for text in config.seeds if len(text) <= LONGEST_SEED]
    return list(dict.fromkeys(map(seed_url, fitting or config.seeds)))


def notes(config: Config) -> list[str]:
    """A sentence for each seed, password or phrase that is left out."""
    return [*_notes_on_seeds(config), *_notes_on_phrases(config)]


def _notes_on_seeds(config: Config) -> list[str]:
    notes = []
    for text in config.seeds:
        shown = shortened(drop_user(text))
        if len(text) > LONGEST_SEED:
            notes.append(f"left out the seed {shown}: a URL of {len(text):,} characters is too long")
        elif drop_user(text) != text:
            notes.append(f"the password in the seed {shown} is not sent; give it with --auth")
    return notes


def _notes_on_phrases(config: Config) -> list[str]:
    return [
        f'left out the phrase "{phrase}": all its words are too common to be searched for'
        for phrase in empty_phrases(config.topic, config.phrases, config.language)
    ]


def seed_leases(config: Config) -> list[Lease]:
    """The seeds as leases, with the scores that search engines gave them, if they did."""
    ranked = zip(config.seeds, config.seed_scores, strict=False)
    scores = {seed_url(text): score for text, score in ranked if len(text) <= LONGEST_SEED}
    return [seed_lease(url, scores.get(url, SEED_SCORE)) for url in seed_urls(config)]


def make_topic(config: Config) -> Topic:
    """What is wanted, from words, files and what was saved under a name."""
    if config.query_log:
        check_query_log(Path(config.query_log))
    library = Library()
    saved = library.topic(config.saved_topic) if config.saved_topic else None
    return Topic(
        config.topic,
        phrases=config.phrases,
        language=config.language,
        query_log=Path(config.query_log) if config.query_log else None,
        relevant=_documents(config.examples),
        irrelevant=_documents(config.counter_examples),
        results=config.results,
        table=saved if isinstance(saved, WeightTable) else None,
        vocabularies=saved if isinstance(saved, Vocabularies) else None,
        network=library.network(config.network) if config.network else None,
    )


def _documents(paths: Sequence[str]) -> list[Document]:
    """Example pages from files and folders."""
    found: list[Document] = []
    for path in map(Path, paths):
        found += read_folder(path, parse_page) if path.is_dir() else [read_document(path, parse_page)]
    return found

"""Sentences out of word lists."""

from __future__ import annotations

from random import Random

import pytest

from lagotto.lab.demo import prose
from lagotto.lab.demo.prose import GENERAL, topic_words


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("owl", "owls"),
        ("wolf spider", "wolf spiders"),
        ("berry", "berries"),
        ("ray", "rays"),
        ("box", "boxes"),
        ("loaf", "loaves"),
        ("pair of binoculars", "pairs of binoculars"),
    ],
)
def test_plurals(one: str, many: str) -> None:
    assert prose.plural(one) == many


def test_templates_are_filled_and_articles_agree() -> None:
    words = topic_words()["birds"].vocabulary._replace(
        things=("owl",), qualities=("buff",), actions=("preen",)
    )
    draw = Random(1)
    assert prose.write(draw, "A {thing} {does} a {quality} {thing}.", words) == "An owl preens a buff owl."
    assert prose.write(draw, "{Things} {do} {things}.", words) == "Owls preen owls."


def test_every_template_can_be_written_with_every_list() -> None:
    draw = Random(2)
    for words in topic_words().values():
        for template in (*prose.SENTENCES, *prose.TITLES):
            written = prose.write(draw, template, words.vocabulary)
            assert "{" not in written
            assert written[0].isupper()


def test_word_lists_are_whole_and_their_own() -> None:
    lists = topic_words()
    assert list(lists)[-1] == GENERAL
    for name, words in lists.items():
        assert len(words.vocabulary.things) >= 20
        assert len(words.subtopics) >= 8
        assert all(len(things) == 12 for things in words.subtopics.values()), name
        assert set(words.related) <= set(lists)
    hosts = [host for words in lists.values() for host in words.hosts]
    assert len(set(hosts)) == len(hosts)

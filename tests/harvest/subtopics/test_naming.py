"""Names of groups."""

from __future__ import annotations

from collections import Counter

import numpy as np

from lagotto.harvest.subtopics.naming import NamedPage, PagePhrases, as_written, common_terms, name_groups

HERONS = "The grey heron wades where many a heron of the marsh would wait for fish to come along."
OWLS = "An owl hunts at night, and the barn owl of the village is heard by all who stay awake then."


def page(host: str, title: str, text: str) -> NamedPage:
    return NamedPage(host, PagePhrases(title, text, "en"))


def made(per_host: int = 5) -> list[NamedPage]:
    herons = [page("a.example", f"Grey heron {n}", HERONS) for n in range(per_host)]
    return [*herons, *(page("b.example", f"Barn owl {n}", OWLS) for n in range(per_host))]


def test_a_group_is_named_by_what_its_pages_alone_have_in_title_and_text() -> None:
    names = name_groups(made(), np.array([0] * 5 + [1] * 5), 2)
    assert [each.name for each in names] == ["grey heron", "barn owl"]


def test_what_the_user_asked_for_is_no_name() -> None:
    names = name_groups(made(), np.array([0] * 5 + [1] * 5), 2, avoid={"grey", "heron", "barn", "owl"})
    assert not {"grey heron", "heron", "grey", "barn owl", "owl"} & {each.name for each in names}


def test_fixed_names_stay_and_are_not_given_twice() -> None:
    names = name_groups(made(), np.array([0] * 5 + [1] * 5), 2, fixed={1: "grey heron"})
    assert names[1].name == "grey heron"
    assert names[0].name != "grey heron"


def test_what_one_site_writes_everywhere_names_no_group_of_many_sites() -> None:
    loud = [
        page(
            "loud.example",
            f"Acme heron {n}",
            f"{HERONS} Acme sells the heron and Acme ships the heron to all.",
        )
        for n in range(6)
    ]
    quiet = [page(f"h{n}.example", f"Heron {n}", HERONS) for n in range(12)]
    owls = [page(f"o{n}.example", f"Barn owl {n}", OWLS) for n in range(10)]
    names = name_groups([*loud, *quiet, *owls], np.array([0] * 18 + [1] * 10), 2)
    assert "heron" in names[0].name
    assert "Acme" not in names[0].name


def test_a_group_without_any_phrase_has_a_name_all_the_same() -> None:
    empty = [page("a.example", "", "") for _ in range(4)]
    assert [each.name for each in name_groups(empty, np.zeros(4, np.int64), 1)] == ["group 1"]
    assert name_groups([], np.zeros(0, np.int64), 0) == []


def test_proper_names_keep_their_capitals() -> None:
    assert as_written(Counter({"GNU Octave": 9, "gnu octave": 1})) == "GNU Octave"
    assert as_written(Counter({"Linear Algebra": 7, "linear algebra": 3})) == "linear algebra"


def test_common_words_of_a_language_without_a_table_are_none() -> None:
    assert "use" in common_terms("en")
    assert common_terms("xx") == frozenset()

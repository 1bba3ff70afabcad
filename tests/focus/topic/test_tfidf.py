from __future__ import annotations

import math
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.focus.topic import tfidf
from lagotto.focus.topic.background import Background
from lagotto.focus.topic.documents import Document
from lagotto.focus.topic.tfidf import MAX_TERMS, OWN_SHARE, TopicPages, idf

GENERAL = Background(1000, {"the word": 900, "comput": 100, "page": 500})
PAGES = [{"comput": 14, "page": 26, "algorithm": 10}, {"comput": 5, "page": 5}]


def test_the_papers_idf_is_wrong_in_every_base() -> None:
    # The paper says log(1000 / 100) = 2, which no base in use gives: 10 has the logarithm 1, 2.30 or 3.32.
    assert idf(1000, 100) == 1.0
    assert math.log2(10) == pytest.approx(3.32, abs=0.01)
    assert math.log(10) == pytest.approx(2.30, abs=0.01)
    # So the weight of its example, 14 of 100 words, is 0.14 and not 0.28.
    assert 14 / 100 * idf(1000, 100) == 0.14


def test_weights_by_hand() -> None:
    pages = TopicPages(general=GENERAL)
    for page in PAGES:
        pages.add(page)
    # TF: mean of count / length. comput (14/50 + 5/10)/2, page (26/50 + 5/10)/2, algorithm (10/50)/2
    # IDF: N = 1000 + 2, df = background + topic pages
    expected = {
        "comput": 0.39 * math.log10(1002 / 102),
        "page": 0.51 * math.log10(1002 / 502),
        "algorithm": 0.10 * math.log10(1002 / 1),
    }
    largest = max(expected.values())
    assert pages.table() == pytest.approx({term: weight / largest for term, weight in expected.items()})


def test_the_papers_literal_form_loses_the_words_on_every_page() -> None:
    pages = TopicPages(idf="topic", general=GENERAL)
    for page in PAGES:
        pages.add(page)
    # comput and page stand on both pages: log10(2/2) = 0. Only algorithm is left.
    assert pages.table() == {"algorithm": 1.0}


def test_the_background_keeps_them() -> None:
    pages = TopicPages(general=GENERAL)
    for page in PAGES:
        pages.add(page)
    assert next(iter(pages.table())) == "comput"


def test_only_the_heaviest_are_kept_and_the_heaviest_is_1() -> None:
    pages = TopicPages(size=2, general=GENERAL)
    for page in PAGES:
        pages.add(page)
    table = pages.table(version=4)
    assert len(table) == 2
    assert max(table.values()) == 1.0
    assert table.version == 4
    assert table.provenance == {"pages": 2, "idf": "background", "size": 2}


def test_expansion_brings_new_keywords_and_new_weights() -> None:
    pages = TopicPages(general=GENERAL)
    pages.add(PAGES[0])
    before = pages.table()
    pages.add({"compil": 9, "comput": 1})
    after = pages.table(version=before.version + 1)
    assert "compil" not in before
    assert "compil" in after
    assert after["algorithm"] != before["algorithm"]


@given(
    st.lists(
        st.dictionaries(st.integers(0, 5000).map(str), st.integers(1, 50), min_size=1, max_size=30),
        min_size=1,
        max_size=10,
    ),
    st.integers(1, 20),
)
def test_the_heaviest_are_found_without_weighing_all(pages: list[dict[str, int]], size: int) -> None:
    found = TopicPages(size=size, general=GENERAL)
    whole = TopicPages(size=10**6, general=GENERAL)
    for page in pages:
        found.add(page)
        whole.add(page)
    with patch.object(tfidf, "_BATCH", 5):
        heaviest = found.table()
    assert list(heaviest.items()) == list(whole.table().items())[:size]


def test_adding_one_by_one_is_the_same_as_all_at_once() -> None:
    one_by_one, at_once = TopicPages(general=GENERAL), TopicPages(general=GENERAL)
    for page in PAGES:
        one_by_one.add(page)
        one_by_one.table()
    at_once.add(PAGES[0])
    at_once.add(PAGES[1])
    assert one_by_one.table() == at_once.table()


def test_a_long_crawl_does_not_make_its_own_words_common() -> None:
    pages = TopicPages(general=GENERAL)
    for _ in range(50_000):
        pages.add({"algorithm": 1, "page": 1})
    # All of 50,000 relevant pages have it; added as they are, they would leave log10(51000 / 50000) = 0.01.
    own = OWN_SHARE * 1000
    assert pages.factors(["algorithm"])["algorithm"] == pytest.approx(math.log10((1000 + own) / own))
    assert list(pages.table()) == ["algorithm", "page"]


def test_memory_is_bounded_and_the_strong_survive() -> None:
    pages = TopicPages(general=GENERAL, size=1)
    for n in range(50):
        pages.add({"algorithm": 50} | {f"rare{n}x{i}": 1 for i in range(1000)})
    assert len(pages._counts.shares) <= 2 * MAX_TERMS
    assert list(pages.table()) == ["algorithm"]
    assert pages._counts.frequencies["algorithm"] == 50


def test_goes_on_after_being_saved() -> None:
    pages = TopicPages(general=GENERAL)
    pages.add(PAGES[0], {"comput": "computer"})
    again = TopicPages(general=GENERAL)
    again.load(pages.save())
    for each in (pages, again):
        each.add(PAGES[1])
    assert again.table() == pages.table()
    assert again.table().readable["comput"] == "computer"
    assert again.pages == 2


def test_documents_bring_their_spelling() -> None:
    pages = TopicPages(general=GENERAL)
    pages.add_documents([Document.from_text("Computing universities compute.")])
    assert pages.table().readable["universiti"] == "universities"


def test_a_language_without_background_still_gives_weights() -> None:
    pages = TopicPages(language="xx")
    pages.add({"aqua": 2, "ignis": 1})
    assert pages.table() == {"aqua": 1.0, "ignis": 0.5}


def test_empty_pages_count_for_nothing() -> None:
    pages = TopicPages(general=GENERAL)
    pages.add({})
    assert pages.pages == 0
    with pytest.raises(InputError, match="no keywords"):
        pages.table()


def test_a_single_page_has_no_literal_idf() -> None:
    pages = TopicPages(idf="topic")
    pages.add(PAGES[0])
    with pytest.raises(InputError, match="more than one page"):
        pages.table()


def test_a_table_needs_a_size() -> None:
    with pytest.raises(InputError, match="0 keywords"):
        TopicPages(size=0)

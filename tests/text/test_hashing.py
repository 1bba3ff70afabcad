"""Terms as numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lagotto.text import END, hash_terms, hash_texts, hashing

TERMS = st.lists(st.text(st.characters(), max_size=12), max_size=20)


@given(st.lists(TERMS, max_size=4))
def test_texts_are_their_terms_each_text_ended(texts: list[list[str]]) -> None:
    hashed = hash_texts(*texts)
    assert hashed == b"".join(hash_terms(text) + END for text in texts)
    numbers = [hashed[at : at + 4] for at in range(0, len(hashed), 4)]
    assert numbers.count(END) == len(texts)


def test_a_term_has_one_hash_wherever_it_stands() -> None:
    terms = ["heron", "grey heron", "鷺", "", "\ud800"]
    assert len({hash_terms([term]) for term in terms}) == len(terms)
    assert hash_terms(terms) == b"".join(hash_terms([term]) for term in terms)


def test_what_is_remembered_is_bounded() -> None:
    before = hash_texts(["heron"])
    for number in range(hashing._REMEMBERED + 1):
        hashing._digests[f"term{number}"]
    assert len(hashing._digests) <= hashing._REMEMBERED
    assert hash_texts(["heron"]) == before

"""Pages and links as numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base import hashing
from lagotto.base.hashing import END, KEYS, hash_link, hash_page, hash_terms, hash_texts
from lagotto.base.records import Link, Page
from lagotto.base.urls import checksum

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


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "_REMEMBERED", 100)
    remembered = hashing._Terms()
    for number in range(250):
        assert remembered[f"term{number}"] == hash_terms([f"term{number}"])
        assert len(remembered) <= 100
    monkeypatch.setattr(hashing, "_REMEMBERED_DIGESTS", 100)
    digests = hashing._Digests()
    for number in range(250):
        assert digests[f"term{number}"][:4] == hash_terms([f"term{number}"])
        assert len(digests) <= 100


def keys_of(url: str, path: str = "") -> dict[str, int]:
    link = Link(url, path=path)
    hash_link(link)
    (keys,) = np.frombuffer(link.keys, KEYS).tolist()
    return dict(zip(KEYS.names or (), keys, strict=True))


def test_a_links_keys_say_what_it_shares_with_others() -> None:
    one = keys_of("http://a.example/x/1", "body>div>div>ul>li>a")
    other = keys_of("http://a.example/x/2", "body>p>div>ul>li>a")
    far = keys_of("http://b.example:81/x/2", "body>p>a")
    assert one["id"] == checksum("http://a.example/x/1")
    assert far["id"] == checksum("http://b.example:81/x/2")
    assert {name for name in one if one[name] == other[name]} == {"host", "directory", "place"}
    assert not {name for name in one if one[name] == far[name]}


def test_a_link_is_hashed_anew_when_its_url_changes() -> None:
    link = Link("http://a.example/x/1", anchor_terms=["heron"])
    hash_link(link)
    link.url = "http://b.example/"
    hash_link(link)
    assert link.host == "b.example"
    assert np.frombuffer(link.keys, KEYS)["id"].tolist() == [checksum("http://b.example/")]
    assert link.hashes == hash_texts(["heron"], [], [])


def simhash(terms: dict[str, int]) -> int:
    page = Page("http://a.example/", terms=terms)
    hash_page(page)
    assert page.hashes == hash_texts(terms, [])
    return page.simhash


def test_nearly_the_same_terms_nearly_the_same_simhash() -> None:
    words = {f"word{i}": 1 + i % 7 for i in range(300)}
    near = {**words, "another": 1}
    far = {f"other{i}": 1 for i in range(300)}
    assert (simhash(words) ^ simhash(near)).bit_count() <= 3
    assert 15 <= ((simhash(words) ^ simhash(far)) & (2**64 - 1)).bit_count() <= 49


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 1000), max_size=30))
def test_simhashes_fit_a_signed_column_and_do_not_depend_on_order(terms: dict[str, int]) -> None:
    found = simhash(terms)
    assert -(1 << 63) <= found < 1 << 63
    assert simhash(dict(sorted(terms.items()))) == found


def test_simhashes_stay_the_same_for_ever() -> None:
    # Stored crawls depend on them.
    assert simhash({"ship": 3, "north": 1, "year": 1}) == -8098148156643868260
    assert simhash({}) == 0

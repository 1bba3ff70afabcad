from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from lagotto.base.text import phrase_term
from lagotto.lab.experiments.replay import read_page
from lagotto.lab.webs import analysis as subject
from lagotto.lab.webs.analysis import OnDemand, analysis_of
from lagotto.lab.webs.graph import graph_of
from lagotto.lab.webs.parsing import analyse
from lagotto.lab.webs.web import FrozenWeb
from tests.lab.small import SIZE, Small, url_of


@pytest.fixture
def web(small: Small, tmp_path: Path) -> FrozenWeb:
    return FrozenWeb.open(shutil.copy(small.web, tmp_path))


def test_links_are_pages_of_the_web_each_once_and_under_one_spelling(web: FrozenWeb) -> None:
    page = web.page(url_of(5))
    assert page is not None
    links = [link.url for link in analyse(web, page).links]
    assert len(links) == len(set(links))
    assert set(links) <= set(web.urls()) - {url_of(5)}
    assert url_of(6) in links
    assert url_of(0) in links, "a redirect is followed to its end"


def test_all_pages_are_analysed_as_each_one_is(
    web: FrozenWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "PART", 50)
    told: list[tuple[int, int]] = []
    whole = analysis_of(web, jobs=2, progress=lambda done, total: told.append((done, total)))
    on_demand = OnDemand(web)
    assert list(whole.urls()) == list(web.urls())
    for url in web.urls():
        assert read_page(whole, url) == read_page(on_demand, url)
    assert told[0] == (0, SIZE)
    assert told[-1] == (SIZE, SIZE)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([web.path.name, whole.path.name])


def test_what_is_there_is_not_made_again(web: FrozenWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    first = analysis_of(web, jobs=1)

    def never(*_: object) -> None:
        raise AssertionError("analysed again")

    monkeypatch.setattr(subject, "_analyse_all", never)
    assert analysis_of(web).content_hash == first.content_hash
    with pytest.raises(AssertionError):
        analysis_of(web, phrases=("oak forest",))


def test_an_interrupted_analysis_goes_on_with_the_parts_it_has(
    web: FrozenWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "PART", 60)

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analysis_of(web, jobs=1, progress=stop)
    parts = list(web.path.parent.glob("*.parts/[0-9]*"))
    assert parts
    told: list[int] = []
    assert len(analysis_of(web, jobs=1, progress=lambda done, total: told.append(done))) == SIZE
    assert told[0] >= 60
    assert not list(web.path.parent.glob("*.parts"))


def test_other_code_makes_its_own_analysis_and_removes_the_old_one(
    web: FrozenWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = analysis_of(web, jobs=1)
    graph_of(old)
    monkeypatch.setattr(subject, "source_hash", lambda *modules: "f" * 16)
    new = analysis_of(web, jobs=1)
    assert new.path != old.path
    assert new.path.exists()
    assert not old.path.exists()
    assert not list(web.path.parent.glob("*.npz"))


def test_phrases_are_terms(web: FrozenWeb) -> None:
    plain = read_page(OnDemand(web), url_of(3))
    phrase = next(f"{first} {second}" for first, second in pairwise(plain.text.split()) if first != second)
    phrased = read_page(OnDemand(web, (phrase,)), url_of(3))
    term = phrase_term(phrase)
    assert term not in plain.terms
    assert phrased.terms[term] > 0

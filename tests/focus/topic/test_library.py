from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import InputError, UnknownName
from lagotto.focus.topic.library import Library, home
from lagotto.focus.topic.network import Network
from lagotto.focus.topic.table import WeightTable
from lagotto.focus.topic.vocabulary import Vocabularies

TABLE = WeightTable({"solar": 1.0, "universiti": 0.5}, {"universiti": "universities"}, source="words")
VOCABULARIES = Vocabularies((frozenset({"a", "b"}), frozenset({"c"})))


def network(name: str = "network1") -> Network:
    return Network(name, ["a"], [np.ones((1, 2)), np.ones(2), np.ones((2, 2)), np.ones(2)], curve=[0.25])


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "home")


def test_all_kinds_come_back(library: Library) -> None:
    library.save_topic("sun", TABLE)
    library.save_topic("letters", VOCABULARIES)
    library.save_network(network())
    assert library.table("sun") == TABLE
    assert library.vocabularies("letters") == VOCABULARIES
    assert library.network("network1").features == ("a",)
    assert isinstance(library.topic("letters"), Vocabularies)


def test_the_list(library: Library) -> None:
    assert library.list() == []
    library.save_topic("sun", TABLE)
    library.save_topic("letters", VOCABULARIES)
    library.save_network(network())
    listed = [(saved.name, saved.kind, saved.summary) for saved in library.list()]
    assert listed == [
        ("letters", "vocabularies", "2 sub-domains of 2, 1 terms"),
        ("sun", "weight table", "2 keywords from words: solar, universities"),
        ("network1", "network", "1 features, 50 hidden nodes, error 0.2500 after 1 epochs"),
    ]


def test_saving_again_replaces(library: Library) -> None:
    library.save_topic("sun", VOCABULARIES)
    path = library.save_topic("sun", TABLE)
    assert library.table("sun") == TABLE
    assert [file.name for file in path.parent.iterdir()] == ["sun.json"]


def test_where_no_network_can_be_saved_is_told_before_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot save"):
        Library(tmp_path / "file").check_network_name("network1")
    library = Library(tmp_path / "home")
    with pytest.raises(InputError, match="cannot be a name"):
        library.check_network_name("../network1")
    library.check_network_name("network1")
    assert library.list() == []


def test_unknown_names_list_what_there_is(library: Library) -> None:
    with pytest.raises(UnknownName, match=r"no saved topic 'sun' .*none is saved yet"):
        library.topic("sun")
    library.save_topic("moon", TABLE)
    library.save_topic("earth", TABLE)
    with pytest.raises(UnknownName, match="known: earth, moon"):
        library.topic("sun")
    with pytest.raises(UnknownName, match="no saved network"):
        library.network("moon")


def test_the_wrong_kind_is_said_to_be_that(library: Library) -> None:
    library.save_topic("sun", TABLE)
    library.save_topic("letters", VOCABULARIES)
    with pytest.raises(InputError, match="holds vocabularies"):
        library.table("letters")
    with pytest.raises(InputError, match="holds a weight table"):
        library.vocabularies("sun")


def test_a_damaged_file_is_listed_and_refused(library: Library) -> None:
    library.save_topic("sun", TABLE).write_bytes(b"{broken")
    library.save_network(network()).write_bytes(b"broken")
    assert [saved.kind for saved in library.list()] == ["damaged", "damaged"]
    with pytest.raises(InputError, match="no weight table"):
        library.topic("sun")
    with pytest.raises(InputError, match="no saved network"):
        library.network("network1")


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "/etc/passwd",
        "a\\b",
        ".hidden",
        "a\0b",
        "a b",
        "x" * 65,
        "ü",
        "a\n",
        "-a",
    ],
)
def test_names_that_could_lead_elsewhere(library: Library, name: str) -> None:
    with pytest.raises(InputError, match="cannot be a name"):
        library.save_topic(name, TABLE)
    with pytest.raises(InputError, match="cannot be a name"):
        library.topic(name)
    with pytest.raises(InputError, match="cannot be a name"):
        library.save_network(network(name))


@given(st.text(max_size=20))
def test_no_name_writes_outside_the_folder(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "names"
    try:
        path = Library(folder).save_topic(name, TABLE)
    except InputError:
        return
    assert path.resolve().parent == (folder / "topics").resolve()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot save"):
        Library(tmp_path / "file").save_topic("sun", TABLE)


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("LAGOTTO_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert home() == tmp_path / ".local/share/lagotto"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert home() == tmp_path / ".local/share/lagotto"
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert home() == Library().folder == Path("/data/lagotto")
    monkeypatch.setenv("LAGOTTO_HOME", "~/dogs")
    assert home() == tmp_path / "dogs"

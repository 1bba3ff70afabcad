from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lagotto.base.text import terms
from lagotto.focus.topic.thesaurus import FOLDER, Thesaurus, decode, load_thesaurus

THESAURUS = load_thesaurus("en")


def meant_most(word: str, thesaurus: Thesaurus = THESAURUS) -> int:
    concepts = thesaurus.concepts(" ".join(terms(word)))
    return max(concepts, key=lambda concept: concepts[concept])


def falls_under(word: str) -> set[str]:
    family = THESAURUS.family(meant_most(word)).tolist()
    return {stem for stem, chance in THESAURUS.names_of(dict.fromkeys(family, 1.0)).items() if chance > 0.3}


@pytest.mark.parametrize(
    ("word", "under", "not_under"),
    [
        ("bird", "heron owl warbler", "badger copper"),
        ("Africa", "Zambia Lusaka Sahara", "Peru Danube"),
        ("astronomy", "supernova meteoroid", "cheese violin"),
        ("New York", "Brooklyn Harlem", "Boston"),
        ("mathematics", "algebra trigonometry", "salmon"),
    ],
)
def test_what_falls_under_a_word(word: str, under: str, not_under: str) -> None:
    found = falls_under(word)
    assert set(terms(under)) <= found
    assert not set(terms(not_under)) & found


def test_a_word_of_several_meanings_names_them_all() -> None:
    around = [THESAURUS.around(concept) for concept in THESAURUS.concepts("bank")]
    assert any("river" in stems or "slope" in stems for stems in around)
    assert any("financi" in stems for stems in around)


def test_a_stem_of_many_names_says_less_than_one_of_few() -> None:
    birds = dict.fromkeys(THESAURUS.family(meant_most("bird")).tolist(), 1.0)
    chances = THESAURUS.names_of(birds)
    assert chances["warbler"] > 0.8
    assert chances["white"] < 0.1
    assert max(chances.values()) < 1.0


def test_weights_carry_through() -> None:
    heron = meant_most("heron")
    whole, half = (THESAURUS.names_of({heron: weight})["heron"] for weight in (1.0, 0.5))
    assert half == pytest.approx(whole / 2)


@pytest.mark.parametrize("term", ["", "qqqzzz", "heron qqqzzz", "zzzz", "bird bird bird bird bird bird bird"])
def test_unknown_terms_mean_nothing(term: str) -> None:
    assert THESAURUS.concepts(term) == {}
    assert THESAURUS.names_of({}) == {}


def test_other_languages_have_none() -> None:
    assert load_thesaurus("xx").concepts("bird") == {}
    assert load_thesaurus("en-GB").concepts("bird") == THESAURUS.concepts("bird")


def test_it_is_small_and_says_whose_it_is() -> None:
    assert (FOLDER / "en.zst").stat().st_size < 2_000_000
    assert "Princeton University" in (FOLDER / "LICENSE").read_text(encoding="utf-8")


NOUNS = """\
  1 A line of the licence begins with spaces.
00000001 05 n 01 bird 0 003 ~ 00000002 n 0000 %p 00000003 n 0000 -c 00000001 v 0000 | flies
00000002 05 n 02 heron 0 Ardea_cinerea 0 001 @ 00000001 n 0000 | wades
00000003 05 n 01 wing 0 000 | of a bird
00000004 05 n 01 Eyot 0 002 @i 00000003 n 0000 %p 00000005 n 0000 | an island
00000005 05 n 01 Eyot_Head 0 001 #p 00000004 n 0000 | its end
"""
SENSES = """\
ardea_cinerea%1:05:00:: 00000002 1 0
bird%1:05:00:: 00000001 1 3
bird%2:38:00:: 00000001 2 0
eyot%1:15:00:: 00000004 1 0
eyot_head%1:15:00:: 00000005 1 0
heron%1:05:00:: 00000002 1 0
wing%1:05:00:: 00000003 1 2
"""


def test_made_from_wordnet_files(tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_text(NOUNS)
    (tmp_path / "data.verb").write_text("00000001 38 v 01 bird 0 000 | watch birds\n")
    for name in ("data.adj", "data.adv"):
        (tmp_path / name).write_text("")
    (tmp_path / "index.sense").write_text(SENSES)
    script = Path(__file__).parents[3] / "scripts" / "make_thesaurus.py"
    made = tmp_path / "made" / "en.zst"
    command = [sys.executable, str(script), str(tmp_path), "-o", str(made)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert f"{made.stat().st_size} bytes" in done.stdout
    thesaurus = decode(made.read_bytes())
    assert thesaurus.concepts("bird") == {0: pytest.approx(4 / 4.5, abs=0.01)}
    assert thesaurus.family(0).tolist() == [0, 1, 5]  # its kind and the verb of its field, not its wing
    assert thesaurus.family(meant_most("eyot", thesaurus)).tolist() == [3, 4]
    assert thesaurus.concepts("ardea cinerea") == {1: 1.0}

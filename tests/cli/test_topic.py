"""`lagotto topic`, `train` and `seeds`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

QUERIES = """Kejriwal new manifesto for lok sabha polls 2014.
Manifesto of BJP for lok sabha polls 2014.
lok sabha polls 2014 dates
"""


def test_the_weight_table_of_the_paper(run: Run, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text(QUERIES)
    options = ["--alpha", 0.5, "--threshold", 1.0, "--phrase", "lok sabha", "--json"]
    said = run("topic", "from-queries", "log.txt", *options)
    assert json.loads(said.out) == {"lok sabha": 1.5, "poll": 1.5, "manifesto": 1.0, "2014": 1.5}


@pytest.mark.parametrize(
    ("log", "sentence"), [("", "holds no query"), ("only once\n", "give a lower --threshold")]
)
def test_a_log_without_a_keyword_is_told(run: Run, tmp_path: Path, log: str, sentence: str) -> None:
    (tmp_path / "log.txt").write_text(log)
    said = run("topic", "from-queries", "log.txt", "--threshold", 5)
    assert said.code == 2
    assert sentence in said.err


def test_an_empty_list_says_how_to_fill_it(run: Run) -> None:
    said = run("topic", "list")
    assert (said.code, said.out) == (0, "")
    assert "--save" in said.err


def test_topics_are_saved_shown_and_listed(run: Run, tmp_path: Path) -> None:
    assert run("topic", "from-words", 'solar "heat pump"', "--save", "sun").code == 0
    shown = json.loads(run("topic", "show", "sun", "--json").out)
    assert shown == {"heat pump": 1.0, "solar": 1.0}
    assert "sun" in run("topic", "list").out
    missing = run("topic", "show", "moon")
    assert missing.code == 2
    assert "sun" in missing.err


def test_an_argument_with_a_space_is_a_phrase(run: Run) -> None:
    said = run("topic", "from-words", "solar", "heat pump", "--json")
    assert json.loads(said.out) == {"heat pump": 1.0, "solar": 1.0}
    alone = run("topic", "from-words", "solar power", "--json")
    assert json.loads(alone.out) == {"power": 1.0, "solar": 1.0}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Pages about birds, and pages about banks."""
    birds, banks = tmp_path / "birds", tmp_path / "banks"
    for folder, words in ((birds, "bird feather nest egg wing"), (banks, "bank loan money interest debt")):
        folder.mkdir()
        for number in range(12):
            body = " ".join(f"{word} {word} number {number}" for word in words.split()[: 2 + number % 4])
            (folder / f"{number}.html").write_text(f"<title>{words.split()[0]}</title><p>{body}</p>")
    return birds, banks


def test_a_table_from_pages(run: Run, folders: tuple[Path, Path]) -> None:
    weights = json.loads(run("topic", "from-pages", folders[0], "--size", 5, "--json").out)
    assert len(weights) == 5
    assert max(weights.values()) == 1.0
    assert "bird" in weights
    vocabularies = run("topic", "from-pages", folders[0], "--vocabularies", "--json")
    assert "bird" in json.loads(vocabularies.out)["sub_domains"][0]


def test_a_network_is_trained_tested_and_kept(run: Run, folders: tuple[Path, Path], tmp_path: Path) -> None:
    birds, banks = folders
    options = ["--hidden", 5, "--rate", 0.5, "--mse", 0.01, "--max-epochs", 2000]
    said = run("train", "birds", "--relevant", birds, "--irrelevant", banks, *options)
    assert said.code == 0, said.err
    assert "accuracy 1.000" in said.out
    assert "true positives 3, false positives 0, false negatives 0, true negatives 3" in said.out
    assert "Training of birds" in (tmp_path / "birds-error.svg").read_text()
    assert "network" in run("topic", "list").out


def test_a_network_is_shown(run: Run, folders: tuple[Path, Path]) -> None:
    birds, banks = folders
    options = ["--hidden", 5, "--rate", 0.5, "--mse", 0.01, "--max-epochs", 2000]
    assert run("train", "birds", "--relevant", birds, "--irrelevant", banks, *options).code == 0
    shown = run("topic", "show", "birds", "--top", 2)
    assert shown.code == 0, shown.err
    about, held_out, measures, use, *words = shown.out.splitlines()
    assert about.startswith("network trained on pages in language en: ")
    assert "5 hidden nodes" in about
    assert held_out.startswith("held-out pages: 6 (true positives 3,")
    assert measures.endswith("accuracy 1.000")
    assert "--strategy neural --network birds" in use
    assert len(words) == 2
    features = json.loads(run("topic", "show", "birds", "--json").out)["features"]
    assert words[0].split() == [f"{max(features.values()):.4f}", max(features, key=features.get)]
    assert features["bird"] > 0.5 > features["bank"]
    assert run("topic", "from-words", "solar", "--save", "birds").code == 0
    assert run("topic", "show", "birds").out == "  1.0000  solar\n"


def test_training_that_the_cap_ended_says_so(run: Run, folders: tuple[Path, Path]) -> None:
    birds, banks = folders
    said = run("train", "birds", "--relevant", birds, "--irrelevant", banks, "--max-epochs", 3)
    assert "stopped at 3 epochs, above the target error of 0.001; give more with --max-epochs" in said.out


def test_a_tiny_set_reaches_the_target_by_default(run: Run, tmp_path: Path) -> None:
    for kind, words in (("birds", "bird feather nest"), ("banks", "bank loan money")):
        (tmp_path / kind).mkdir()
        for number in range(3):
            (tmp_path / kind / f"{number}.txt").write_text(words)
    said = run("train", "x", "--relevant", "birds", "--irrelevant", "banks")
    assert said.code == 0, said.err
    assert float(said.out.partition("to an error of ")[2].split()[0]) <= 0.001
    assert "above the target" not in said.out


def test_pieces_of_pages_that_were_learned_from_test_nothing(run: Run, tmp_path: Path) -> None:
    for kind in ("birds", "banks"):
        (tmp_path / kind).mkdir()
        for letter in "abcdefgh":
            # No word is on two pages, so of a page that it has not read the network knows nothing.
            (tmp_path / kind / f"{letter}.txt").write_text(f"{kind}{letter} " * 60)
    options = ["--contexts", "--hidden", 5, "--rate", 0.5, "--max-epochs", 100]
    said = run("train", "x", "--relevant", "birds", "--irrelevant", "banks", *options)
    assert said.code == 0, said.err
    assert "held-out pieces: 16" in said.out
    assert "accuracy 0.500" in said.out


@pytest.mark.parametrize(
    ("name", "picture", "sentence"),
    [
        ("x", "curve.gif", "must end in .svg"),
        ("x", "nowhere/curve.svg", "there is no folder nowhere"),
        ("no/name", "curve.svg", "'no/name' cannot be a name"),
    ],
)
def test_what_cannot_be_kept_is_told_before_the_training(
    run: Run,
    folders: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    picture: str,
    sentence: str,
) -> None:
    monkeypatch.setattr("lagotto.cli.train.train_network", lambda *_, **__: pytest.fail("it was trained"))
    birds, banks = folders
    said = run("train", name, "--relevant", birds, "--irrelevant", banks, "--picture", picture)
    assert said.code == 2
    assert sentence in said.err


def test_training_without_pages_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    said = run("train", "x", "--relevant", "empty", "--irrelevant", "empty")
    assert said.code == 2
    assert "no pages in empty" in said.err


def test_seeds_show_who_said_what_at_which_rank(run: Run, tmp_path: Path) -> None:
    one, two = "https://a.example/", "https://b.example/"
    (tmp_path / "one.json").write_text(json.dumps([{"url": one}, {"url": two}]))
    (tmp_path / "two.json").write_text(json.dumps([{"url": two}]))
    said = run("seeds", "birds", "--engine", "file:one.json", "--engine", "file:two.json")
    assert said.code == 0, said.err
    first, second = said.out.splitlines()
    assert first.startswith(f"1  {two}")
    assert second.startswith(f"3  {one}")
    common = run("seeds", "birds", "--engine", "file:one.json", "--engine", "file:two.json", "--agree", "all")
    assert common.out.splitlines() == [first]
    missing = run("seeds", "birds", "--engine", "file:none.json")
    assert missing.code == 2

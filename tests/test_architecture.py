"""docs/architecture.md names what exists: nine functions, ten files, every folder."""

from __future__ import annotations

import importlib
import re
from functools import reduce

import pytest

from tests.conftest import PROJECT

PAGE = (PROJECT / "docs" / "architecture.md").read_text()
SOURCE = PROJECT / "src" / "lagotto"
SENTENCES = re.findall(r"^(\d)\. `([\w.]+)`", PAGE, re.MULTILINE)
TOP = {"__init__.py", "__main__.py", "py.typed", "__pycache__"}


def test_there_are_nine_sentences() -> None:
    assert [number for number, _ in SENTENCES] == list("123456789")


@pytest.mark.parametrize("name", [name for _, name in SENTENCES])
def test_each_sentence_names_a_function(name: str) -> None:
    path = name.split(".")
    modules = [n for n in range(1, len(path)) if (SOURCE / "/".join(path[:n])).with_suffix(".py").exists()]
    module = importlib.import_module("lagotto." + ".".join(path[: modules[0]]))
    assert callable(reduce(getattr, path[modules[0] :], module))


def test_a_page_is_followed_through_ten_files() -> None:
    section = PAGE.split("## Following one page")[1].split("\n## ")[0]
    files = re.findall(r"^\| `([\w/.]+)` \|", section, re.MULTILINE)
    assert len(files) == 10
    assert not [file for file in files if not (SOURCE / file).is_file()]


def test_every_folder_is_in_the_table() -> None:
    table = PAGE.split("## Where things are")[1]
    named = set(re.findall(r"`(\w+)(?:/|\.py)`", table))
    assert named >= {path.stem for path in SOURCE.iterdir() if path.name not in TOP}
    assert not [name for name in named if not list(SOURCE.rglob(f"{name}*"))]

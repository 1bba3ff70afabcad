"""What is kept is used again only by the code, and the data, that made it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.lab.experiments import tasks
from lagotto.lab.experiments.tasks import Task
from lagotto.lab.webs import analysis as sources
from lagotto.lab.webs.analysis import class_hash, source_hash

CODE = """\
from lagotto.focus.strategies.simple import BreadthFirst


class Plugin(BreadthFirst):
    name = 'plugin'
"""


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """Digests are taken once in a process; here files change while it runs."""
    forget()
    yield
    forget()


def forget() -> None:
    for cached in (source_hash, tasks._own_code):
        cached.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "plugged"]:
        del sys.modules[name]
    importlib.invalidate_caches()


def test_code_and_data_count_and_what_python_compiles_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    for path in ("urls.py", "text/words.py", "text/stop/en.txt", "text/__pycache__/words.pyc", "other.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("before")

    def changed_by(path: str) -> bool:
        before = source_hash("urls", "text")
        (tmp_path / path).write_text(f"after {path}")
        forget()
        return source_hash("urls", "text") != before

    assert changed_by("urls.py")
    assert changed_by("text/words.py")
    assert changed_by("text/stop/en.txt")
    assert changed_by("text/stop/de.txt")
    assert not changed_by("text/__pycache__/words.pyc")
    assert not changed_by("other.py")


def plug_in(folder: Path, where: str) -> None:
    """Install a package whose strategy is at a place such as `plugged:Plugin`."""
    described = folder / "plugged-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[lagotto.strategies]\nplugin = {where}\n")


@pytest.mark.parametrize(
    ("where", "code", "counts"),
    [
        ("plugged:Plugin", "plugged.py", ["plugged.py"]),
        (
            "plugged.inner.mine:Plugin",
            "plugged/inner/mine.py",
            ["plugged/inner/mine.py", "plugged/helpers.py", "plugged/words.txt", "plugged/__init__.py"],
        ),
    ],
)
def test_other_code_of_another_package_makes_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, code: str, counts: list[str]
) -> None:
    plug_in(tmp_path, where)
    for path in counts:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / code).write_text(CODE)
    (tmp_path / "beside.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    task, built_in = (
        Task(pages="0" * 32, strategy=name, words="birds", seeds=(), budget=1) for name in ("plugin", "bfs")
    )
    keys, usual = {task.key}, built_in.key
    for path in counts:
        with (tmp_path / path).open("a") as file:
            file.write("# changed\n")
        forget()
        keys.add(task.key)
    assert len(keys) == len(counts) + 1
    (tmp_path / "beside.py").write_text("# changed\n")
    forget()
    assert task.key in keys
    assert built_in.key == usual


def test_a_package_without_a_file_of_its_own_is_not_taken_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mine", "theirs"):
        (tmp_path / "plugged" / name).mkdir(parents=True)
        (tmp_path / "plugged" / name / "__init__.py").write_text(CODE)
    monkeypatch.syspath_prepend(str(tmp_path))
    mine = importlib.import_module("plugged.mine").Plugin
    before = class_hash(mine)
    (tmp_path / "plugged" / "theirs" / "__init__.py").write_text("")
    assert class_hash(mine) == before
    (tmp_path / "plugged" / "mine" / "data.bin").write_bytes(b"1")
    assert class_hash(mine) != before

"""A state is written a piece a commit, and whatever happens meanwhile nothing learned is lost."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lagotto.lab.checks.store_calls import NOW, outcome, seed
from lagotto.store.sql import learned as snapshots
from tests.store.blocking import Blocking

HOST = "one.example"


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "PIECE", 4)
    monkeypatch.setattr(snapshots, "REMOVED_AT_ONCE", 2)


def started(directory: Path | None = None) -> Blocking:
    store = Blocking.memory() if directory is None else Blocking.create(directory)
    store.hold_all()
    store.add_seeds([seed(f"http://{HOST}/{n}") for n in range(100)])
    return store


def commit(store: Blocking, sample: bytes) -> None:
    found = outcome(store.top(HOST, 1, NOW)[0])
    found.sample = sample
    store.commit([found])


def samples_stored(store: Blocking) -> int:
    [(n,)] = store.db.execute("SELECT count(*) FROM samples")
    return int(n)


def test_a_large_state_comes_with_the_commits_after_it() -> None:
    store = started()
    commit(store, b"a")
    store.snapshot(b"the state")
    assert store.restore() == (None, [b"a"])
    commit(store, b"b")
    assert store.restore() == (None, [b"a", b"b"])
    commit(store, b"c")
    assert store.restore() == (b"the state", [b"b", b"c"])


def test_a_state_can_be_written_at_once() -> None:
    store = started()
    commit(store, b"a")
    store.snapshot(b"the state", at_once=True)
    assert store.restore() == (b"the state", [])


def test_a_newer_state_takes_the_place_of_an_unfinished_one() -> None:
    store = started()
    store.snapshot(b"old", at_once=True)
    commit(store, b"a")
    store.snapshot(b"never finished")
    commit(store, b"b")
    store.snapshot(b"new one")
    assert store.restore() == (b"old", [b"a", b"b"])
    commit(store, b"c")
    assert store.restore() == (b"new one", [b"c"])


def test_a_failed_commit_gives_up_what_was_being_written() -> None:
    store = started()
    store.snapshot(b"old", at_once=True)
    store.snapshot(b"not finished")
    with pytest.raises(ValueError, match="never"):
        store.commit([outcome(seed("http://never.example/"))])
    for sample in (b"a", b"b", b"c", b"d"):
        commit(store, sample)
    assert store.restore() == (b"old", [b"a", b"b", b"c", b"d"])


def test_needless_samples_go_bit_by_bit() -> None:
    store = started()
    for n in range(9):
        commit(store, b"%d" % n)
    store.snapshot(b"all")
    left = []
    for n in range(9, 16):
        left.append(samples_stored(store))
        commit(store, b"%d" % n)
    assert left == [9, 8, 7, 6, 5, 6, 7]
    assert store.restore() == (b"all", [b"%d" % n for n in range(9, 16)])


def test_samples_are_numbered_on_after_all_were_needless(tmp_path: Path) -> None:
    store = started(tmp_path)
    for sample in (b"a", b"b", b"c"):
        commit(store, sample)
    store.snapshot(b"abc", at_once=True)
    for _ in range(2):
        store.close()
        store = Blocking.open(tmp_path)
        store.hold_all()
        commit(store, b"d")
    assert store.restore() == (b"abc", [b"d", b"d"])
    store.close()


class Learning(RuleBasedStateMachine):
    """A strategy whose state is all that it was given, so that restoring must give back just that."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = started(Path(self.folder.name) / "crawl")
        self.learned = b""
        self.left = 100

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    @rule(sample=st.binary(min_size=1, max_size=9))
    def learn(self, sample: bytes) -> None:
        if self.left:
            commit(self.store, sample)
            self.learned += sample
            self.left -= 1

    @rule(at_once=st.booleans())
    def take_snapshot(self, at_once: bool) -> None:
        self.store.snapshot(self.learned, at_once=at_once)

    @rule()
    def fail(self) -> None:
        with pytest.raises(ValueError, match="never"):
            self.store.commit([outcome(seed("http://never.example/"))])

    @rule(killed=st.booleans())
    def open_again(self, killed: bool) -> None:
        directory = self.store.directory
        assert directory is not None
        if killed:
            self.store.kill()
        else:
            self.store.close()
        self.store = Blocking.open(directory)
        self.store.hold_all()

    @invariant()
    def nothing_is_lost(self) -> None:
        state, samples = self.store.restore()
        assert (state or b"") + b"".join(samples) == self.learned


TestLearning = Learning.TestCase

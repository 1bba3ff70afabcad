"""Commands are taken once and in order, whoever sends them and whoever is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.batch import Batch, Command, Taken
from lagotto.store.sqlite.commands import FILE, CommandFile, CommandList, Mailbox
from lagotto.store.sqlite.storage import SqliteStorage
from tests.conftest import PROJECT
from tests.store.blocking import Blocking, run

SENDER = """
import sys
from pathlib import Path
from lagotto.base.batch import Command
from lagotto.store.sqlite.commands import CommandFile
for n in range(50):
    CommandFile(Path(sys.argv[1])).send(Command(b'"%s %d"' % (sys.argv[2].encode(), n), sys.argv[2], 1.0))
"""


def contents(mailbox: Mailbox, after: int = 0) -> list[bytes]:
    return [command.content for command in mailbox.after(after)]


@pytest.mark.parametrize("kind", [CommandFile, CommandList])
def test_commands_are_numbered_in_order(tmp_path: Path, kind: type) -> None:
    mailbox: Mailbox = kind(tmp_path) if kind is CommandFile else kind()
    assert mailbox.after(0) == []
    assert [mailbox.send(Command(b'"%d"' % n, "me", 2.0)) for n in (1, 2, 3)] == [1, 2, 3]
    assert mailbox.after(0)[0] == Command(b'"1"', "me", 2.0, 1)
    assert contents(mailbox, 1) == [b'"2"', b'"3"']
    assert contents(mailbox, 3) == []
    mailbox.send(Command(b'"4"'))
    assert contents(mailbox, 3) == [b'"4"']


def test_a_torn_line_waits_and_is_ended_by_the_next_sender(tmp_path: Path) -> None:
    file = CommandFile(tmp_path)
    file.send(Command(b'"one"'))
    with (tmp_path / FILE).open("ab") as stream:
        stream.write(b'{"who": "killed", "at": 1')
    assert contents(file) == [b'"one"']
    assert CommandFile(tmp_path).send(Command(b'"three"')) == 3
    assert contents(file) == [b'"one"', b"", b'"three"']


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_nonsense_is_a_command_without_content(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    directory = tmp_path_factory.mktemp("crawl")
    (directory / FILE).write_bytes(b"\n".join(lines))
    number = CommandFile(directory).send(Command(b'"mine"'))
    found = CommandFile(directory).after(0)
    assert (found[-1].n, found[-1].content, len(found)) == (number, b'"mine"', number)


def test_processes_that_send_at_once_lose_nothing(tmp_path: Path) -> None:
    names = ("a", "b", "c")
    command = [sys.executable, "-c", SENDER, str(tmp_path)]
    senders = [subprocess.Popen([*command, name], cwd=PROJECT) for name in names]
    assert [sender.wait() for sender in senders] == [0, 0, 0]
    found = CommandFile(tmp_path).after(0)
    assert [command.n for command in found] == list(range(1, 151))
    for name in names:
        own = [command.content for command in found if command.who == name]
        assert own == [b'"%s %d"' % (name.encode(), n) for n in range(50)]


def test_a_command_is_taken_once_also_across_a_kill(tmp_path: Path) -> None:
    store = Blocking.create(tmp_path).hold_all()
    storage = SqliteStorage(tmp_path)
    assert [storage.send(Command(b'"%d"' % n, "me", 5.0)) for n in (1, 2)] == [1, 2]
    assert [command.n for command in run(store.store.commands())] == [1, 2]
    store.write(Batch(taken=[Taken(1, "done")]))
    assert [command.n for command in run(store.store.commands())] == [2]
    with pytest.raises(ValueError, match="does not wait"):
        store.write(Batch(taken=[Taken(1, "again")]))
    store.kill()
    again = Blocking.open(tmp_path).hold_all()
    assert [command.n for command in run(again.store.commands())] == [2]
    again.write(Batch(taken=[Taken(2, "no", applied=False)]))
    sent = again.reader().commands()
    assert [(each.n, each.outcome, each.applied, each.who) for each in sent] == [
        (1, "done", True, "me"),
        (2, "no", False, "me"),
    ]
    again.close()


def test_a_rolled_back_command_still_waits(tmp_path: Path) -> None:
    store = Blocking.create(tmp_path).hold_all()
    SqliteStorage(tmp_path).send(Command(b'"1"'))
    with pytest.raises(ValueError, match="not on the shelf"):
        store.write(Batch(taken=[Taken(1)], expand=5))
    assert [command.n for command in run(store.store.commands())] == [1]
    [waiting] = store.reader().commands()
    assert waiting.taken_at is None
    store.close()

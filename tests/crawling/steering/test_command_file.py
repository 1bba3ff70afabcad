"""The file of commands: whatever writers do and wherever they are killed, each command is read once."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.batch import Command
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import encode
from lagotto.store.sqlite.commands import FILE, CommandFile
from tests.conftest import PROJECT

SENT = st.builds(commands.Exclude, st.text(max_size=20)) | st.builds(
    commands.Mark, st.text(max_size=20), st.none() | st.booleans()
)
ACTIONS = st.lists(
    st.one_of(
        SENT.map(lambda command: ("send", command)),
        st.binary(min_size=1, max_size=30).filter(lambda tear: b"\n" not in tear).map(lambda t: ("tear", t)),
        st.just(("read", None)),
    ),
    max_size=15,
)


@given(ACTIONS)
def test_every_command_is_read_once_and_in_order(actions: list[tuple[str, object]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        reader = CommandFile(directory)
        sent: list[tuple[int, bytes]] = []
        read: list[Command] = []
        for action, what in actions:
            if action == "send":
                content = encode(what)  # type: ignore[arg-type]
                # Every writer is a process of its own.
                number = CommandFile(directory).send(Command(content, "anna", 1.0))
                sent.append((number, content))
            elif action == "tear":
                with (directory / FILE).open("ab") as file:
                    file.write(what)  # type: ignore[arg-type]
            else:
                read += reader.after(read[-1].n if read else 0)
        read += reader.after(read[-1].n if read else 0)
        numbers = [command.n for command in read]
        assert numbers == list(range(1, len(read) + 1)), "every line has a number of its own"
        whole = {command.n: command.content for command in read if command.content}
        assert [(number, whole.get(number)) for number, _ in sent] == sent
        assert set(whole) == {number for number, _ in sent}, "a torn line is no command"


_WRITER = """
import sys
from pathlib import Path
from lagotto.base.batch import Command
from lagotto.store.sqlite.commands import CommandFile
for number in range(40):
    print(CommandFile(Path(sys.argv[1])).send(Command(b'{"kind":"pause"}', f"{sys.argv[2]}-{number}")))
"""


def test_writers_beside_each_other_get_numbers_of_their_own(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path), str(writer)],
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for writer in range(4)
    ]
    said = [writer.communicate(timeout=60)[0].split() for writer in writers]
    given_out = [int(number) for numbers in said for number in numbers]
    assert sorted(given_out) == list(range(1, 161))
    read = CommandFile(tmp_path).after(0)
    assert {command.who for command in read} == {f"{w}-{n}" for w in range(4) for n in range(40)}
    for writer, numbers in enumerate(said):
        assert [read[int(number) - 1].who for number in numbers] == [f"{writer}-{n}" for n in range(40)]


def test_looking_costs_one_stat_when_nothing_is_new(tmp_path: Path) -> None:
    file = CommandFile(tmp_path)
    file.send(Command(msgspec.json.encode({"kind": "pause"})))
    assert len(file.after(0)) == 1
    (tmp_path / FILE).chmod(0)
    assert file.after(1) == []

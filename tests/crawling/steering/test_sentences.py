"""Commands in words."""

from __future__ import annotations

from typing import get_args

import pytest

from lagotto.base.views import TakenCommand
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import AnyCommand, answer, decode, encode, line, phrase

EXAMPLES: list[tuple[AnyCommand, str]] = [
    (commands.Pause(), "pause"),
    (commands.Unpause(), "unpause"),
    (commands.Stop(), "stop"),
    (commands.SetOptions({"max_pages": 500, "delay": 2.5}), "set max-pages 500, delay 2.5"),
    (commands.AddSeeds(["http://a.example/"]), "add seed http://a.example/"),
    (commands.Exclude("/x/"), "exclude /x/"),
    (commands.Unexclude("/x/"), "unexclude /x/"),
    (commands.Include("/x/"), "include /x/"),
    (commands.Uninclude("/x/"), "uninclude /x/"),
    (commands.BlockHost("a.example"), "block host a.example"),
    (commands.UnblockHost("a.example"), "unblock host a.example"),
    (commands.BoostHost("a.example", 2.0), "boost host a.example by +2"),
    (commands.LimitHost("a.example", 7), "limit host a.example to 7 pages"),
    (commands.Mark("http://a.example/", False), "mark http://a.example/ off topic"),
    (commands.EditTopic({"heat pump": 2.0, "coal": 0.0}), 'words "heat pump"=2 -coal'),
]


def test_every_command_has_an_example() -> None:
    assert {type(command) for command, _ in EXAMPLES} == set(get_args(AnyCommand))


@pytest.mark.parametrize(("command", "words"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_commands_in_words(command: AnyCommand, words: str) -> None:
    assert phrase(command) == words
    assert decode(encode(command)) == command


def test_what_came_of_a_command() -> None:
    sent = TakenCommand(3, encode(commands.Pause()), "anna", 0.0)
    assert line(sent) == "pause, by anna at 1970-01-01T00:00:00+00:00; not taken yet"
    assert answer(sent) == "pause: sent; the crawl takes it after its next commit"
    refused = TakenCommand(3, encode(commands.Pause()), "anna", 0.0, 1.0, "it is paused already")
    assert line(refused).endswith("; not applied: it is paused already")
    assert answer(refused) == "pause: not applied, it is paused already"
    done = TakenCommand(3, encode(commands.Pause()), "anna", 0.0, 1.0, "3 requests under way", applied=True)
    assert line(done).endswith("; 3 requests under way")


def test_a_torn_line_is_named() -> None:
    assert phrase(decode(b'{"kind": "pau')) == "a line that is no command"

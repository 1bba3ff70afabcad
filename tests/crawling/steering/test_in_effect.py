"""The configuration in effect: as started, and changed by commands in their order."""

from __future__ import annotations

from lagotto.base.views import TakenCommand
from lagotto.crawling.config import Config
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import AnyCommand, encode
from lagotto.crawling.steering.effect import InEffect, in_effect


def after(config: Config, *given: AnyCommand) -> InEffect:
    taken = [TakenCommand(n, encode(each), "anna", 1.0, 2.0, applied=True) for n, each in enumerate(given, 1)]
    return in_effect(config, taken)


def test_commands_count_in_their_order() -> None:
    found = after(
        Config(seeds=["http://a.example/"], exclude=["/x/"], max_pages=10),
        commands.SetOptions({"max_pages": 20, "delay": 3.0}),
        commands.SetOptions({"max_pages": 30}),
        commands.AddSeeds(["http://b.example/"]),
        commands.Exclude("/y/"),
        commands.Unexclude("/x/"),
        commands.Include("/z/"),
        commands.EditTopic({"heat pump": 2.0, "wind": 1.0, "coal mine": 0.0}),
    )
    assert (found.config.max_pages, found.config.delay) == (30, 3.0)
    assert found.config.seeds == ["http://a.example/", "http://b.example/"]
    assert (found.config.exclude, found.config.include) == (["/y/"], ["/z/"])
    assert found.phrases == ["heat pump"]


def test_the_configuration_as_started_is_left_alone() -> None:
    config = Config(max_pages=10)
    after(config, commands.SetOptions({"max_pages": 20}), commands.Exclude("/y/"))
    assert (config.max_pages, config.exclude) == (10, [])


def test_hosts_and_pausing() -> None:
    found = after(
        Config(),
        commands.Pause(),
        commands.BlockHost("a.example"),
        commands.BlockHost("b.example"),
        commands.UnblockHost("a.example"),
        commands.BoostHost("c.example", 2.0),
        commands.BoostHost("d.example", 1.0),
        commands.BoostHost("d.example", 0.0),
        commands.LimitHost("c.example", 7),
    )
    assert found.paused
    assert found.rules.blocked == {"b.example"}
    assert found.rules.boosts == {"c.example": 2.0}
    assert found.rules.sentences("c.example") == ["link scores +2", "at most 7 pages"]
    assert not after(Config(), commands.Pause(), commands.Unpause()).paused


def test_refused_commands_and_torn_lines_change_nothing() -> None:
    sent = [
        TakenCommand(1, b"", "", 0.0, 1.0),
        TakenCommand(2, encode(commands.Pause()), "anna", 1.0, 2.0, "no", applied=False),
        TakenCommand(3, b'{"kind":"of a later version"}', "anna", 1.0, 2.0, "", applied=True),
        TakenCommand(4, encode(commands.BlockHost("a.example")), "anna", 1.0),
    ]
    found = in_effect(Config(), sent)
    assert not found.paused
    assert found.rules.blocked == {"a.example"}, "a command that waits holds when the crawl is opened"

"""The configuration in effect: as the crawl was started, then changed by commands in their order."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field, structs

from lagotto.config import Config, from_values
from lagotto.frontier import HostRules
from lagotto.steering import commands
from lagotto.steering.commands import AnyCommand
from lagotto.views import TakenCommand


class InEffect(Struct):
    """What holds now."""

    config: Config
    rules: HostRules = field(default_factory=HostRules)
    paused: bool = False
    phrases: list[str] = field(default_factory=list)
    """Phrases among the words that were added; the parser must take each as one term."""

    @property
    def holds_back(self) -> bool:
        """Whether patterns or host rules keep links from being fetched."""
        return bool(self.config.include or self.config.exclude or self.rules.blocked or self.rules.limits)

    def change(self, command: AnyCommand) -> None:
        """Take one more command into account."""
        match command:
            case commands.Pause():
                self.paused = True
            case commands.Unpause():
                self.paused = False
            case commands.SetOptions(values=values):
                self.config = from_values(values, self.config)
            case commands.AddSeeds(urls=urls):
                self._set(seeds=_with(self.config.seeds, *urls))
            case commands.Exclude(pattern=pattern):
                self._set(exclude=_with(self.config.exclude, pattern))
            case commands.Unexclude(pattern=pattern):
                self._set(exclude=_without(self.config.exclude, pattern))
            case commands.Include(pattern=pattern):
                self._set(include=_with(self.config.include, pattern))
            case commands.Uninclude(pattern=pattern):
                self._set(include=_without(self.config.include, pattern))
            case commands.BlockHost(host=host):
                self.rules.block(host)
            case commands.UnblockHost(host=host):
                self.rules.block(host, blocked=False)
            case commands.BoostHost(host=host, amount=amount):
                self.rules.boost(host, amount)
            case commands.LimitHost(host=host, pages=pages):
                self.rules.limit(host, pages)
            case commands.EditTopic(words=words):
                found = [word for word, weight in words.items() if " " in word and weight]
                self.phrases = _with(self.phrases, *found)
            case commands.Stop() | commands.Mark():
                pass

    def _set(self, **values: list[str]) -> None:
        self.config = structs.replace(self.config, **values)


def in_effect(config: Config, sent: Iterable[TakenCommand]) -> InEffect:
    """What holds after all commands that were applied, and those that wait to be taken."""
    found = InEffect(config)
    for each in sent:
        command = commands.decode(each.content)
        if command is not None and (each.applied or each.taken_at is None):
            found.change(command)
    return found


def _with(values: list[str], *new: str) -> list[str]:
    return list(dict.fromkeys([*values, *new]))


def _without(values: list[str], gone: str) -> list[str]:
    return [value for value in values if value != gone]

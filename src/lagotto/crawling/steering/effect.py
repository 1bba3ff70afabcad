"""The configuration in effect: as the crawl was started, then changed by commands in their order."""

from __future__ import annotations

import getpass
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from msgspec import Struct, field, structs

from lagotto.base.batch import Command
from lagotto.base.errors import InUse, OlderStore
from lagotto.base.protocols import Storage
from lagotto.base.views import TakenCommand
from lagotto.crawling.config import Config, from_values
from lagotto.crawling.config import decode as decode_config
from lagotto.crawling.frontier import HostRules
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import AnyCommand, encode


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


PATIENCE = 10.0
"""Seconds that a running crawl is given to take a command; it looks twice a second."""
_LOOK_EVERY = 0.05


def effect_at(storage: Storage) -> InEffect:
    """What holds for a crawl now, running or not."""
    config = decode_config(storage.config(), f"the configuration of {storage.location}")
    try:
        with storage.reader() as reader:
            return in_effect(config, reader.commands())
    except OlderStore:
        return InEffect(config)  # There were no such commands then; opening it brings it up to date.


def send(storage: Storage, found: Iterable[AnyCommand], who: str = "") -> list[int]:
    """Send commands; returns their numbers."""
    sender = who or user_name()
    return [storage.send(Command(encode(command), sender, time.time())) for command in found]


def deliver(
    storage: Storage, found: Iterable[AnyCommand], who: str, open_and_close: Callable[[], None]
) -> list[TakenCommand]:
    """Send commands, and return them as the crawl took them.

    A crawl that does not run takes them when `open_and_close` opens it. One that runs is waited for; a
    command that it has not taken in time is returned as not taken, and is taken later.
    """
    numbers = set(send(storage, found, who))
    deadline = time.monotonic() + PATIENCE
    while True:
        if not storage.running():
            # If somebody has just resumed the crawl, that process takes the commands.
            with suppress(InUse):
                open_and_close()
        with storage.reader() as reader:
            sent = [each for each in reader.commands() if each.n in numbers]
        if all(each.taken_at is not None for each in sent) or time.monotonic() > deadline:
            return sent
        time.sleep(_LOOK_EVERY)


def user_name() -> str:
    """Name of the user who runs this process."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown user"

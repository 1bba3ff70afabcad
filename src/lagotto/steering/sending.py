"""Sending commands to a crawl, and waiting until it has taken them."""

from __future__ import annotations

import getpass
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from lagotto.batch import Command
from lagotto.config import decode as decode_config
from lagotto.errors import InUse, OlderStore
from lagotto.protocols import Storage
from lagotto.steering.commands import AnyCommand, encode
from lagotto.steering.in_effect import InEffect, in_effect
from lagotto.views import TakenCommand

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

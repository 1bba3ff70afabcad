"""Commands to a crawl: records that any process may send, and that the crawl takes after a commit.

The store keeps each with who sent it and when, and gives it a number. A command is taken exactly once: what
it changes is part of the same transaction that records it as taken.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct


class _Record(Struct, tag_field="kind"):
    """Base of all commands."""


class Pause(_Record, tag="pause"):
    """Send no more requests until `Unpause`."""


class Unpause(_Record, tag="unpause"):
    """Go on after `Pause`."""


class Stop(_Record, tag="stop"):
    """Finish what is under way and end the process; a resumed crawl goes on."""


class SetOptions(_Record, tag="set-options"):
    """Replace options of the configuration, by their names in `Config`."""

    values: dict[str, Any]


class AddSeeds(_Record, tag="add-seeds"):
    """Fetch these URLs before any link."""

    urls: list[str]


class Exclude(_Record, tag="exclude"):
    """Set aside URLs that match a regular expression."""

    pattern: str


class Unexclude(_Record, tag="unexclude"):
    """Take back an exclude pattern; links that were set aside by it return."""

    pattern: str


class Include(_Record, tag="include"):
    """From now on only URLs that match this, or another include pattern."""

    pattern: str


class Uninclude(_Record, tag="uninclude"):
    """Take back an include pattern."""

    pattern: str


class BlockHost(_Record, tag="block-host"):
    """Send no more requests to a host; its links stay queued."""

    host: str


class UnblockHost(_Record, tag="unblock-host"):
    """Take back `BlockHost`."""

    host: str


class BoostHost(_Record, tag="boost-host"):
    """Add an amount to the link scores of a host when hosts are compared; 0 takes that back."""

    host: str
    amount: float


class LimitHost(_Record, tag="limit-host"):
    """Fetch at most so many pages of a host; 0 takes that back."""

    host: str
    pages: int


class Mark(_Record, tag="mark"):
    """A user's verdict on a page; None takes it back."""

    url: str
    on: bool | None


class EditTopic(_Record, tag="edit-topic"):
    """Give words of the topic other weights; 0 removes a word."""

    words: dict[str, float]


AnyCommand = (
    Pause
    | Unpause
    | Stop
    | SetOptions
    | AddSeeds
    | Exclude
    | Unexclude
    | Include
    | Uninclude
    | BlockHost
    | UnblockHost
    | BoostHost
    | LimitHost
    | Mark
    | EditTopic
)
"""All commands that exist, as JSON tells them apart by `kind`."""

_decoder: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)


def encode(command: AnyCommand) -> bytes:
    """The command as JSON, as the store keeps it."""
    return msgspec.json.encode(command)


def decode(content: bytes) -> AnyCommand | None:
    """The command that the store kept; None if this version does not know its kind."""
    try:
        return _decoder.decode(content)
    except msgspec.DecodeError:
        return None

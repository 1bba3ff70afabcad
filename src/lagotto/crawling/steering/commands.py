"""Commands to a crawl: records that any process may send, and that the crawl takes after a commit.

The store keeps each with who sent it and when, and gives it a number. A command is taken exactly once: what
it changes is part of the same transaction that records it as taken.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from lagotto.base.views import TakenCommand


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


_MARKED = {True: "on topic", False: "off topic", None: "not marked any more"}


def phrase(command: AnyCommand | None) -> str:
    """What a command asks for, in a few words."""
    match command:
        case SetOptions(values=values):
            return "set " + ", ".join(f"{name.replace('_', '-')} {_plain(v)}" for name, v in values.items())
        case AddSeeds(urls=urls):
            return f"add {'seed' if len(urls) == 1 else 'seeds'} {' '.join(urls)}"
        case Exclude(pattern=pattern) | Include(pattern=pattern):
            return f"{_kind(command)} {pattern}"
        case Unexclude(pattern=pattern) | Uninclude(pattern=pattern):
            return f"{_kind(command)} {pattern}"
        case BlockHost(host=host) | UnblockHost(host=host):
            return f"{_kind(command)} {host}"
        case BoostHost(host=host, amount=amount):
            return f"boost host {host} by {amount:+g}" if amount else f"no longer boost host {host}"
        case LimitHost(host=host, pages=pages):
            return f"limit host {host} to {pages} pages" if pages else f"no longer limit host {host}"
        case Mark(url=url, on=on):
            return f"mark {url} {_MARKED[on]}" if on is not None else f"unmark {url}"
        case EditTopic(words=words):
            return "words " + " ".join(_word(word, weight) for word, weight in words.items())
        case None:
            return "a line that is no command"
    return _kind(command)


def line(sent: TakenCommand) -> str:
    """A command with who sent it, when, and what came of it."""
    said = f"{phrase(decode(sent.content))}, by {sent.who or 'somebody'} at {moment(sent.at)}"
    if sent.taken_at is None:
        return f"{said}; not taken yet"
    if not sent.applied:
        return f"{said}; not applied: {sent.outcome}"
    return f"{said}; {sent.outcome}" if sent.outcome else said


def answer(sent: TakenCommand) -> str:
    """What came of a command, for the one who sent it."""
    said = phrase(decode(sent.content))
    if sent.taken_at is None:
        return f"{said}: sent; the crawl takes it after its next commit"
    if not sent.applied:
        return f"{said}: not applied, {sent.outcome}"
    return f"{said}: {sent.outcome or 'done'}"


def moment(at: float) -> str:
    """A wall-clock time as text."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _kind(command: AnyCommand) -> str:
    return str(command.__struct_config__.tag).replace("-", " ")


def _word(word: str, weight: float) -> str:
    shown = f'"{word}"' if " " in word else word
    return f"{shown}={weight:g}" if weight else f"-{shown}"


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

"""Commands in words, for `status`, `explain` and the log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from lagotto.steering import commands
from lagotto.steering.commands import AnyCommand
from lagotto.views import TakenCommand

_MARKED = {True: "on topic", False: "off topic", None: "not marked any more"}


def phrase(command: AnyCommand | None) -> str:
    """What a command asks for, in a few words."""
    match command:
        case commands.SetOptions(values=values):
            return "set " + ", ".join(f"{name.replace('_', '-')} {_plain(v)}" for name, v in values.items())
        case commands.AddSeeds(urls=urls):
            return f"add {'seed' if len(urls) == 1 else 'seeds'} {' '.join(urls)}"
        case commands.Exclude(pattern=pattern) | commands.Include(pattern=pattern):
            return f"{_kind(command)} {pattern}"
        case commands.Unexclude(pattern=pattern) | commands.Uninclude(pattern=pattern):
            return f"{_kind(command)} {pattern}"
        case commands.BlockHost(host=host) | commands.UnblockHost(host=host):
            return f"{_kind(command)} {host}"
        case commands.BoostHost(host=host, amount=amount):
            return f"boost host {host} by {amount:+g}" if amount else f"no longer boost host {host}"
        case commands.LimitHost(host=host, pages=pages):
            return f"limit host {host} to {pages} pages" if pages else f"no longer limit host {host}"
        case commands.Mark(url=url, on=on):
            return f"mark {url} {_MARKED[on]}" if on is not None else f"unmark {url}"
        case commands.EditTopic(words=words):
            return "words " + " ".join(_word(word, weight) for word, weight in words.items())
        case None:
            return "a line that is no command"
    return _kind(command)


def line(sent: TakenCommand) -> str:
    """A command with who sent it, when, and what came of it."""
    said = f"{phrase(commands.decode(sent.content))}, by {sent.who or 'somebody'} at {moment(sent.at)}"
    if sent.taken_at is None:
        return f"{said}; not taken yet"
    if not sent.applied:
        return f"{said}; not applied: {sent.outcome}"
    return f"{said}; {sent.outcome}" if sent.outcome else said


def answer(sent: TakenCommand) -> str:
    """What came of a command, for the one who sent it."""
    said = phrase(commands.decode(sent.content))
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

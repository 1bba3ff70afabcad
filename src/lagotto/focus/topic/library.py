"""Topics and networks that were saved under a name, to be used again in other crawls.

They are kept in `$LAGOTTO_HOME`, else in `$XDG_DATA_HOME/lagotto`, else in `~/.local/share/lagotto`:
`topics/NAME.json` for weight tables and vocabularies, `networks/NAME.npz` for networks.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError, UnknownName
from lagotto.focus.topic.network import Network
from lagotto.focus.topic.table import WeightTable
from lagotto.focus.topic.vocabulary import Vocabularies

Shelf = Literal["topics", "networks"]
_SUFFIX = {"topics": ".json", "networks": ".npz"}
_name = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}").fullmatch


class Saved(Struct, frozen=True):
    """One line of the list of what is saved."""

    name: str
    kind: str
    """`weight table`, `vocabularies` or `network`."""
    summary: str


def home() -> Path:
    """The folder for what is saved, by the environment."""
    if chosen := os.environ.get("LAGOTTO_HOME"):
        return Path(chosen).expanduser()
    data = os.environ.get("XDG_DATA_HOME")
    # The XDG rules say that a relative path there is to be ignored.
    base = Path(data) if data and Path(data).is_absolute() else Path.home() / ".local" / "share"
    return base / "lagotto"


class Library:
    """Saves, lists and loads by name."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = home() if folder is None else folder

    def save_topic(self, name: str, topic: WeightTable | Vocabularies) -> Path:
        """Keep a weight table or vocabularies under a name, in place of what had that name before."""
        return self._write("topics", name, topic.to_json())

    def save_network(self, network: Network) -> Path:
        """Keep a network under its own name."""
        return self._write("networks", network.name, network.to_bytes())

    def check_network_name(self, name: str) -> None:
        """Refuse a name under which no network could be kept: asked before a long training."""
        path = self._path("networks", name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise InputError(f"cannot save {path}: {error.strerror}") from error

    def topic(self, name: str) -> WeightTable | Vocabularies:
        """The weight table or the vocabularies saved under a name."""
        stored = self._read("topics", name)
        return Vocabularies.from_json(stored) if _is_vocabularies(stored) else WeightTable.from_json(stored)

    def table(self, name: str) -> WeightTable:
        """The weight table saved under a name."""
        topic = self.topic(name)
        if isinstance(topic, Vocabularies):
            raise InputError(f"the topic '{name}' holds vocabularies, not a weight table")
        return topic

    def vocabularies(self, name: str) -> Vocabularies:
        """The vocabularies saved under a name."""
        topic = self.topic(name)
        if isinstance(topic, WeightTable):
            raise InputError(f"the topic '{name}' holds a weight table, not vocabularies")
        return topic

    def network(self, name: str) -> Network:
        """The network saved under a name."""
        return Network.from_bytes(self._read("networks", name))

    def names(self, shelf: Shelf) -> list[str]:
        """What is saved of a kind, in alphabetical order."""
        found = (self.folder / shelf).glob(f"*{_SUFFIX[shelf]}")
        return sorted(path.stem for path in found if _name(path.stem))

    def list(self) -> list[Saved]:
        """Everything that is saved, topics first; a file that cannot be read is listed as damaged."""
        return [
            *(self._entry(name, "topics") for name in self.names("topics")),
            *(self._entry(name, "networks") for name in self.names("networks")),
        ]

    def _entry(self, name: str, shelf: Shelf) -> Saved:
        try:
            kept = self.topic(name) if shelf == "topics" else self.network(name)
        except InputError as error:
            return Saved(name, "damaged", str(error))
        return Saved(name, *describe(kept))

    def _path(self, shelf: Shelf, name: str) -> Path:
        if not _name(name):
            raise InputError(
                f"'{name}' cannot be a name; use up to 64 letters, digits, dots, dashes and underscores, "
                "a letter or digit first"
            )
        return self.folder / shelf / f"{name}{_SUFFIX[shelf]}"

    def _read(self, shelf: Shelf, name: str) -> bytes:
        path = self._path(shelf, name)
        try:
            return path.read_bytes()
        except FileNotFoundError:
            known = ", ".join(self.names(shelf)) or "none is saved yet"
            raise UnknownName(f"there is no saved {shelf[:-1]} '{name}' (known: {known})") from None
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from error

    def _write(self, shelf: Shelf, name: str, content: bytes) -> Path:
        """Write beside the old file and rename, so that a crash never leaves half of one."""
        path = self._path(shelf, name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(file.name).replace(path)
        except OSError as error:
            raise InputError(f"cannot save {path}: {error.strerror}") from error
        return path


def describe(kept: WeightTable | Vocabularies | Network) -> tuple[str, str]:
    """Kind and one line about something that can be saved."""
    if isinstance(kept, WeightTable):
        first = ", ".join(kept.readable[term] for term in list(kept)[:5])
        return "weight table", f"{len(kept)} keywords from {kept.source or 'unknown source'}: {first}"
    if isinstance(kept, Vocabularies):
        sizes = ", ".join(str(len(vocabulary)) for vocabulary in kept.sub_domains)
        return "vocabularies", f"{len(kept.sub_domains)} sub-domains of {sizes} terms"
    error = f", error {kept.curve[-1]:.4f} after {len(kept.curve)} epochs" if kept.curve else ""
    return "network", f"{len(kept.features)} features, {kept.settings.hidden} hidden nodes{error}"


def _is_vocabularies(stored: bytes) -> bool:
    try:
        return msgspec.json.decode(stored, type=_Kind).kind == "vocabularies"
    except msgspec.DecodeError:
        return False


class _Kind(Struct):
    kind: str = ""

"""What is asked of a comparison."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from lagotto.errors import InputError
from lagotto.lab.experiments.draws import Seeding


class Protocol(StrEnum):
    """What strategies are given, all alike."""

    WORDS = "words"
    """The topic's words, and seeds."""
    EXAMPLES = "examples"
    """The same, and pages on and off the topic: the inputs of most papers."""
    LOG = "log"
    """Words, seeds, a query log that grows and search results: the inputs of the paper of `dynamic`."""


class Request(Struct, kw_only=True):
    """All that defines a comparison."""

    web: Path
    """A frozen web, or a folder or file that one can be imported from."""
    labels: tuple[Path, ...]
    topics: tuple[Path, ...]
    output: Path
    strategies: tuple[str, ...] = ()
    """Names, with options after colons; all registered ones if empty."""
    budget: int = 500
    draws: int = 1
    protocols: tuple[Protocol, ...] = (Protocol.WORDS,)
    examples: int = 50
    """Example pages of either kind."""
    logs: Path | None = None
    """Query logs and search results of the topics, for the protocol `log`."""
    seeding: Seeding = Seeding.GIVEN
    absent: Path | None = None
    """Topics that the web does not have."""
    marks: tuple[int, ...] = ()
    """Numbers of pages that a simulated teacher is asked about, each in runs of its own."""
    right: tuple[float, ...] = (1.0,)
    """Shares of the teacher's answers that are right."""
    encoder: str = "none"
    """Sentence encoder that judges all pages a second time: a folder, auto or none."""
    encode: bool = False
    """Whether strategies that can read with the encoder while they crawl are compared reading as well."""
    random_seed: int = 0
    baseline: str = ""
    jobs: int = 0
    runs: Path | None = None
    """Folder in which finished runs are kept, which comparisons may share; `runs` in the output if None."""

    def check(self) -> None:
        """Refuse what makes no sense."""
        for option, least in {"budget": 1, "draws": 1, "examples": 1, "jobs": 0, "random_seed": 0}.items():
            if getattr(self, option) < least:
                raise InputError(f"--{option.replace('_', '-')} must be at least {least}")
        if Protocol.LOG in self.protocols and self.logs is None:
            raise InputError(
                "the protocol 'log' needs query logs; make them with scripts/make_query_logs.py, "
                "and give them with --logs FILE"
            )
        if any(marks < 1 for marks in self.marks):
            raise InputError("--marks must be at least 1")
        if not self.right or not all(0.0 <= right <= 1.0 for right in self.right):
            raise InputError("--right must be from 0 to 1")
        if self.encode and self.encoder == "none":
            raise InputError("--encode always needs an encoder; name one with --encoder auto or a folder")

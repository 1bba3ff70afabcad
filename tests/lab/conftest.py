"""A small web, and a comparison on it, made once for all tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.lab.small import Small, make_small

# Imported where used: pytest reads this file before it knows which warnings to pass over.
if TYPE_CHECKING:
    from lagotto.lab.experiments.request import Request
    from lagotto.lab.experiments.results import Comparison


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """The small web; leave its files as they are."""
    return make_small(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def asked(small: Small, tmp_path_factory: pytest.TempPathFactory) -> Request:
    """A comparison to be made, small enough for a test."""
    from lagotto.lab.experiments.request import Protocol, Request

    return Request(
        web=small.web,
        labels=(small.labels,),
        topics=(small.topics,),
        output=tmp_path_factory.mktemp("compared"),
        strategies=("best-first", "best-first:threshold=0.5"),
        budget=30,
        draws=2,
        protocols=(Protocol.WORDS, Protocol.EXAMPLES),
        examples=3,
        jobs=1,
    )


@pytest.fixture(scope="session")
def compared(asked: Request) -> Comparison:
    """That comparison, made."""
    from lagotto.lab.experiments.experiment import compare

    return compare(asked)


@pytest.fixture(scope="session")
def runs_folder(asked: Request, compared: Comparison) -> Path:
    """Where its runs are kept."""
    return asked.output / "runs"

"""Orders to the contenders of the throughput benchmark and their results; uses the standard library only.

A contender is a script: it gets its `Order` as JSON on the command line, crawls, and prints a `Result`.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass, field

from measuring import Cpu, cpu, memory


@dataclass
class Order:
    """A crawl to run."""

    proxy: str
    seeds: list[str]
    words: str
    pages: int
    """Number of pages to fetch; only status 200 counts."""
    warm: int
    """Pages before the measurement starts, to exclude imports and first connections."""
    settings: dict[str, str] = field(default_factory=dict)

    @classmethod
    def given(cls) -> Order:
        """The order on the command line."""
        return cls(**json.loads(sys.argv[1]))

    def as_argument(self) -> str:
        """The order as it is put on a command line."""
        return json.dumps(asdict(self))


@dataclass
class Result:
    """Time and CPU of a crawl after its warm-up."""

    pages: int
    answers: int
    cpu: Cpu
    wall: float
    memory: float
    stages: dict[str, float] = field(default_factory=dict)
    """CPU seconds of each stage, if known."""


class Count:
    """Counts a crawl's answers, and measures from the end of the warm-up to the last page."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.pages = 0
        self.answers = 0
        self.result: Result | None = None
        self._before: tuple[int, int, Cpu, float] | None = None

    @property
    def warm(self) -> bool:
        """Whether the measurement has started."""
        return self._before is not None

    def answer(self, status: int) -> bool:
        """Count an answer; True once the crawl has all its pages."""
        self.answers += 1
        self.pages += status == 200
        if self._before is None and self.pages >= self.order.warm:
            self._before = self.pages, self.answers, cpu(), time.perf_counter()
        if self.pages >= self.order.pages and self.result is None:
            self.finish()
        return self.result is not None

    def finish(self) -> None:
        """The crawl is over, with all pages or because it found no more."""
        if self._before is not None and self.result is None:
            pages, answers, spent, clock = self._before
            self.result = Result(
                self.pages - pages,
                self.answers - answers,
                cpu().since(spent),
                time.perf_counter() - clock,
                memory(),
            )

    def tell(self) -> None:
        """Print the result for the benchmark to read."""
        self.finish()
        if self.result is None:
            sys.exit(f"the crawl ended after {self.pages} pages")
        print(json.dumps(asdict(self.result)), flush=True)


def read_result(line: str) -> Result:
    """The result that a contender printed."""
    told = json.loads(line)
    return Result(**{**told, "cpu": Cpu(*told["cpu"])})

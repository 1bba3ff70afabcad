"""Ask several engines at once and merge their answers by canonical URL.

Priority as the papers have it for three engines: 1 when all name the URL, 2 when two do, 3 when one
does. With more engines 2 is between; with two there is no 2, and with a single engine every priority is 3,
since no other agrees. Within a priority, URLs that more engines name come first, then those with the better
mean rank. An engine that fails is named and left out, so "all" means all that answered.
"""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError, SeedError
from lagotto.crawling.seeds.engines import Answer, Engine, SearchFailed, answer, plain_text


class Placing(Struct, frozen=True):
    """At which rank an engine named a URL."""

    engine: str
    rank: int


class Seed(Struct):
    """A URL that at least one engine named."""

    url: str
    priority: int
    """1 to 3, 1 first."""
    placings: list[Placing]
    title: str = ""
    snippet: str = ""
    place: int = 1
    """Place in the merged list, 1 for the best: the crawl takes seeds in this order."""

    @property
    def score(self) -> float:
        """Link score for the frontier, between 1 and 3.5; it falls from each place to the next."""
        return 4 - self.priority + 1 / (1 + self.place)


class EngineFailure(Struct, frozen=True):
    """An engine that was left out, and why."""

    engine: str
    why: str
    rate_limited: bool = False


class Agreement(Struct):
    """The merged answers of the engines."""

    query: str
    seeds: list[Seed]
    """Best first."""
    answered: list[str]
    failed: list[EngineFailure] = []
    left_out: int = 0
    """Rows that held no http or https URL."""

    @property
    def texts(self) -> list[str]:
        """Title and snippet of each seed: what `static` builds its weight table from."""
        return [f"{seed.title}\n{seed.snippet}".strip() for seed in self.seeds]


async def ask(engines: Sequence[Engine], query: str, *, limit: int = 10, timeout: float = 15.0) -> Agreement:
    """Ask all engines at once for their first `limit` hits and merge the answers."""
    names = [engine.name for engine in engines]
    if not engines:
        raise InputError("there is no engine to ask; name at least one")
    if len(set(names)) < len(names):
        raise InputError(f"the same engine is named twice ({', '.join(names)}); it cannot agree with itself")
    if not query.strip():
        raise InputError("the query is empty; write what to search for")
    replies = await asyncio.gather(*(_ask_one(engine, query, limit, timeout) for engine in engines))
    answers = {name: reply for name, reply in zip(names, replies, strict=True) if isinstance(reply, Answer)}
    failed = [reply for reply in replies if isinstance(reply, EngineFailure)]
    return agree(query, answers, failed)


def agree(query: str, answers: Mapping[str, Answer], failed: Sequence[EngineFailure] = ()) -> Agreement:
    """Merge answers, engine -> `Answer`, by canonical URL."""
    placings: dict[str, list[Placing]] = {}
    texts: dict[str, tuple[str, str]] = {}
    for engine, said in answers.items():
        for result in said.results:
            placings.setdefault(result.url, []).append(Placing(engine, result.rank))
            title, snippet = texts.get(result.url, ("", ""))
            texts[result.url] = (title or result.title, max(snippet, result.snippet, key=len))
    seeds = [
        Seed(url, _priority(len(named), len(answers)), named, *texts[url]) for url, named in placings.items()
    ]
    seeds.sort(key=lambda seed: (seed.priority, -len(seed.placings), *_ranks(seed), seed.url))
    for place, seed in enumerate(seeds, 1):
        seed.place = place
    return Agreement(
        query, seeds, list(answers), list(failed), sum(said.left_out for said in answers.values())
    )


def choose(agreement: Agreement, agree: Literal["any", "all"] = "any") -> list[Seed]:
    """Seeds to start from: any engine's, or only those that all engines named; never none."""
    asked = len(agreement.answered) + len(agreement.failed)
    trouble = "; ".join(f"{failure.engine}: {failure.why}" for failure in agreement.failed)
    if not agreement.answered:
        raise SeedError(f"no search engine answered ({trouble}); try others or give seed URLs")
    if not agreement.seeds:
        raise SeedError(
            f"no engine found anything for '{agreement.query}'; try other words or give seed URLs"
        )
    if agree == "any":
        return agreement.seeds
    if asked > 1 and len(agreement.answered) == 1:
        raise SeedError(
            f"only {agreement.answered[0]} answered, so there is nothing to agree on ({trouble}); "
            "ask other engines or take any engine's word"
        )
    common = [seed for seed in agreement.seeds if len(seed.placings) == len(agreement.answered)]
    if not common:
        raise SeedError(
            f"no URL is common to all of {', '.join(agreement.answered)}; ask for more results "
            "or take any engine's word"
        )
    return common


async def _ask_one(engine: Engine, query: str, limit: int, timeout: float) -> Answer | EngineFailure:
    try:
        async with asyncio.timeout(timeout):
            return await engine.search(query, limit)
    except SearchFailed as error:
        return EngineFailure(engine.name, plain_text(error.why, 200), error.rate_limited)
    except TimeoutError:
        return EngineFailure(engine.name, f"no answer within {timeout:g} s")
    except Exception as error:
        # An engine may be of another package; whatever it raises, the others' answers still count.
        return EngineFailure(engine.name, plain_text(f"{type(error).__name__}: {error}", 200))


def _priority(named_by: int, engines: int) -> int:
    if named_by == 1:
        return 3
    return 1 if named_by == engines else 2


def _ranks(seed: Seed) -> tuple[float, int]:
    """Mean rank over the engines that named it, then the best one."""
    ranks = [placing.rank for placing in seed.placings]
    return sum(ranks) / len(ranks), min(ranks)


MAX_BYTES = 100_000_000


class ResultsFile:
    """An engine that always gives the rows it was made of, whatever it is asked."""

    def __init__(self, name: str, rows: Iterable[object]) -> None:
        self._name = name
        self.rows = list(rows)

    @property
    def name(self) -> str:
        """The engine the rows name, or the file's own name."""
        return self._name

    async def search(self, query: str, limit: int) -> Answer:
        """The first `limit` rows that hold a URL."""
        return answer(self.rows, limit)


def read_results(path: Path) -> list[ResultsFile]:
    """The engines whose answers a file holds; one named after the file when its rows name none."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path} is larger than {MAX_BYTES // 1_000_000} MB; that is no list of results")
        content = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read the results file {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"the results file {path} is not UTF-8 text") from error
    by_engine: dict[str, list[object]] = {}
    for row in _rows(content, path):
        named = row.get("engine") if isinstance(row, Mapping) else None
        by_engine.setdefault(plain_text(named, 60) or path.stem, []).append(row)
    if not by_engine:
        raise InputError(f"the results file {path} is empty")
    return [ResultsFile(name, rows) for name, rows in by_engine.items()]


def _rows(content: str, path: Path) -> list[object]:
    start = content.lstrip()[:1]
    if path.suffix.lower() == ".json" or start in ("{", "["):
        return _json_rows(content, path)
    if path.suffix.lower() == ".csv":
        return list(csv.DictReader(io.StringIO(content, newline="")))
    lines = (line.strip() for line in content.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _json_rows(content: str, path: Path) -> list[object]:
    """Rows of a JSON list, of an object with `results`, or of JSON objects one a line."""
    try:
        said = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError):
        try:
            return list(msgspec.json.Decoder().decode_lines(content))
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(f"the results file {path} is not valid JSON: {error}") from error
    rows = said.get("results", [said]) if isinstance(said, dict) else said
    if not isinstance(rows, list):
        raise InputError(f"the results file {path} holds no list of results")
    return rows

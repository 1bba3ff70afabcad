"""Ask several engines at once and merge their answers by canonical URL.

Priority as the papers have it for three engines: 1 when all name the URL, 2 when two do, 3 when one
does. With more engines 2 is between; with two there is no 2, and with a single engine every priority is 3,
since no other agrees. Within a priority, URLs that more engines name come first, then those with the better
mean rank. An engine that fails is named and left out, so "all" means all that answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from lagotto.base.errors import InputError, SeedError
from lagotto.crawling.seeds.engines import Answer, Engine, SearchFailed, plain_text


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

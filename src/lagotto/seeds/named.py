"""Engines by the names people write on the command line or in a configuration file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lagotto.errors import InputError
from lagotto.seeds.ddgs import Ddgs
from lagotto.seeds.engines import Engine
from lagotto.seeds.results_file import read_results
from lagotto.seeds.searxng import Fetch, Searxng

DEFAULT_ENGINES = ("duckduckgo", "brave", "startpage")
"""Three engines with three different indexes (Bing's, Brave's own, Google's): only then does it mean
something when they agree."""


def engines_named(
    names: Sequence[str], fetch: Fetch, *, proxy: str = "", timeout: float = 10.0
) -> list[Engine]:
    """Engines for names such as `brave`, `file:results.json`, `searxng:https://host` or
    `searxng:https://host#bing,mojeek`, which asks each of the two by itself.
    """
    engines: list[Engine] = []
    for name in names:
        kind, colon, rest = name.strip().partition(":")
        if colon and kind == "searxng":
            endpoint, _, behind = rest.partition("#")
            asked = [engine.strip() for engine in behind.split(",")]
            engines += [
                Searxng(endpoint, fetch, engine=engine) for engine in asked if engine or len(asked) == 1
            ]
        elif colon and kind == "file":
            engines += read_results(Path(rest).expanduser())
        elif not colon or kind == "ddgs":
            engines.append(Ddgs(rest if colon else kind, proxy=proxy, timeout=timeout))
        else:
            raise InputError(
                f"'{name}' names no engine; write an engine of ddgs such as brave, "
                "searxng:https://host, or file:results.json"
            )
    return engines

"""A crawl that a request asks for: checked, its uploads kept, started."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from lagotto import config as configuration
from lagotto.errors import InputError
from lagotto.hosting.folder import CrawlFolder
from lagotto.hosting.permissions import Permissions
from lagotto.hosting.starting import Starter
from lagotto.hosting.uploads import Uploads, save

Seeds = Annotated[list[str], Meta(max_length=10_000)]


class NewCrawl(Struct, forbid_unknown_fields=True):
    """A crawl to start."""

    name: str
    topic: str = ""
    """Words, phrases in quotes."""
    seeds: Seeds = []
    strategy: str = "scent"
    strategy_options: dict[str, Any] = {}
    """As GET /api/strategies lists them."""
    options: dict[str, Any] = {}
    """As GET /api/options lists them."""
    examples: Uploads = []
    counter_examples: Uploads = []
    query_log: str = ""
    """The text of a query log, one query a line."""


class Started(Struct):
    """A crawl that was started."""

    name: str
    location: str


def begin(data: NewCrawl, folder: CrawlFolder, starter: Starter, permissions: Permissions) -> Started:
    """Start a crawl; what makes no sense is refused, and leaves nothing behind."""
    place = folder.new_place(data.name)
    if not data.seeds:
        raise InputError("there is no seed to start from; give at least one, or find some with /api/seeds")
    values = permissions.checked(data.options)
    values |= {"topic": data.topic, "seeds": data.seeds, "strategy": data.strategy}
    values |= {"options": data.strategy_options, "proxy": permissions.proxy}
    kept = folder.own() / data.name
    try:
        values |= _save_uploads(data, kept)
        config = configuration.from_values(values)
        config.check()
        (kept / "config.toml").write_bytes(configuration.encode(config))
        arguments = ["crawl", "--config", str(kept / "config.toml"), "-o", str(place), "--quiet"]
        starter.launch(data.name, str(place), arguments)
    except BaseException:
        if not place.exists():
            shutil.rmtree(kept, ignore_errors=True)
        raise
    return Started(data.name, str(place))


def _save_uploads(data: NewCrawl, kept: Path) -> dict[str, Any]:
    """Keep what came with the request; a resumed crawl reads it again."""
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(mode=0o700)
    values: dict[str, Any] = {}
    for name, pages in (("examples", data.examples), ("counter_examples", data.counter_examples)):
        if pages:
            save(pages, kept / name)
            values[name] = [str(kept / name)]
    if data.query_log.strip():
        (kept / "queries.txt").write_text(data.query_log, encoding="utf-8", errors="replace")
        values["query_log"] = str(kept / "queries.txt")
    return values

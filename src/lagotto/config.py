"""The configuration of a crawl: what a TOML file, the command line or Python may say.

Every field is an option of `lagotto crawl` (underscores become dashes). The effective
configuration is written into the crawl directory as `config.toml`, so that a crawl can be resumed,
and reported, exactly as it was started.
"""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Any, Literal

import msgspec

from lagotto.errors import CrawlDirectoryError, InputError

CONFIG_FILE = "config.toml"


class Config(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """All that defines a crawl; defaults are safe."""

    # What is wanted.
    topic: str = ""
    """Words that name the topic, phrases in quotes."""
    phrases: list[str] = []
    """Word sequences that count as one term."""
    language: str = "en"
    """Language of the topic's words."""
    examples: list[str] = []
    """Pages on the topic: files or folders."""
    counter_examples: list[str] = []
    """Pages off the topic: files or folders."""
    query_log: str = ""
    """File of queries, one a line."""
    results: list[str] = []
    """Title and snippet of search results for the topic, where seeds came from search engines."""
    saved_topic: str = ""
    """Name of a saved topic table."""
    network: str = ""
    """Name of a trained network."""
    # Where to start and how to go on.
    seeds: list[str] = []
    seed_scores: list[float] = []
    """Link score of each seed, where search engines ranked them; else all are alike."""
    strategy: str = "scent"
    options: dict[str, Any] = {}
    """Options of the strategy."""
    random_seed: int = 0
    # Budget.
    max_pages: int = 0
    max_time: float = 0.0
    max_bytes: int = 0
    stop: Literal["budget", "auto"] = "budget"
    """`auto`: also stop when the strategy says that going on is not worth it."""
    # Scope.
    depth: int = 0
    include: list[str] = []
    exclude: list[str] = []
    same_site: bool = False
    host_limit: int = 100_000
    """Pages of one host at most."""
    hosts_per_site: int = 1000
    """Hosts of one registrable domain at most."""
    pattern_limit: int = 5000
    """Pages of a host whose URLs have one shape, such as `/calendar?month=#`, at most."""
    # Politeness.
    concurrency: int = 16
    delay: float = 1.0
    ip_delay: float = 0.0
    """Seconds between requests to one IP address; 0: no rule by address."""
    connections_per_host: int = 1
    patience: float | Literal["auto"] = "auto"
    """Seconds that nobody is asked for the sake of hosts with better links, whose turn has not come.

    `auto`: a quarter of the delay if pages are limited, time is not and concurrency was not raised, else 0.
    """
    obey_robots: bool = True
    obey_nofollow: bool = False
    sitemaps: bool = False
    contact: str = ""
    """URL that tells site owners who crawls; part of the User-Agent."""
    # Requests.
    headers: list[str] = []
    cookies: str = ""
    auth: list[str] = []
    """`user:password@https://example.org`, sent to that origin alone."""
    proxy: str = ""
    allow_private: list[str] = []
    insecure: bool = False
    max_size: int = 10 * 1024 * 1024
    timeout: float = 30.0
    retries: int = 2
    retry_wait: float = 5.0
    # What is kept.
    content_seen: bool = True
    keep_text: bool = True
    keep_warc: bool = True
    warc_size: int = 1_000_000_000
    pages_folder: str = ""
    """Folder to write each page into as it comes, besides the WARC."""
    parsers: int = 0
    """Parser processes; 0: one a core, at most four."""

    def check(self) -> None:
        """Refuse what makes no sense, with a sentence that says what to write instead."""
        for name in _NOT_NEGATIVE:
            if not getattr(self, name) >= 0:  # So that a number that is none is caught as well.
                raise InputError(f"--{name.replace('_', '-')} must not be negative")
        if self.patience != "auto" and not 0 <= self.patience < inf:
            raise InputError("--patience must not be negative or without end; 0: nobody is waited for")
        for name in ("concurrency", "connections_per_host", "max_size"):
            if getattr(self, name) < 1:
                raise InputError(f"--{name.replace('_', '-')} must be at least 1")


_NOT_NEGATIVE = (
    "max_pages",
    "max_time",
    "max_bytes",
    "depth",
    "host_limit",
    "hosts_per_site",
    "pattern_limit",
    "delay",
    "ip_delay",
    "timeout",
    "retries",
    "retry_wait",
    "parsers",
)


def from_values(values: dict[str, Any], base: Config | None = None) -> Config:
    """Configuration from named values, over another one or the defaults."""
    merged = {**(msgspec.to_builtins(base) if base else {}), **values}
    try:
        return msgspec.convert(merged, Config)
    except msgspec.ValidationError as error:
        raise InputError(f"the configuration is wrong: {error}") from None


def load(path: Path) -> Config:
    """Read a TOML file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the configuration {path}: {error.strerror}") from None
    try:
        return msgspec.toml.decode(content, type=Config)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(f"{path} is not valid TOML: {error}") from None


def save(config: Config, directory: Path) -> None:
    """Write the effective configuration into a crawl directory, readable by its owner alone."""
    path = directory / CONFIG_FILE
    try:
        path.touch(mode=0o600)
        path.write_bytes(msgspec.toml.encode(config))
    except OSError as error:
        raise CrawlDirectoryError(f"cannot write {path}: {error.strerror}; make room or allow it") from None

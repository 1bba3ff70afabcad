"""The configuration of a crawl: what a TOML file, the command line or Python may say.

Each field declares its option once, as `Option` says: type, default, range, meaning, and who may change it
when. All that shows, checks, changes or documents options reads these declarations.

The configuration in effect is written into the crawl directory as `config.toml`, so that a crawl can be
resumed, and reported, exactly as it was started.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from lagotto.base.errors import InputError
from lagotto.base.options import Change, Field, Option, fields_of
from lagotto.base.text.languages import check_language
from lagotto.crawling.secrets import MissingSecret, drop_user, hide_auth, hide_header, hide_proxy, look_up
from lagotto.parse.pdf import check_pdf

NO_LIMIT = "no limit"

_topic = partial(Option, group="Topic", change=Change.NEVER)
_start = partial(Option, group="Start")
_strategy = partial(Option, group="Strategy", change=Change.NEVER, http=True)
_budget = partial(Option, group="Budget", change=Change.AT_ONCE, http=True)
_limit = partial(_budget, limit=True, least=0, zero=NO_LIMIT)
_scope = partial(Option, group="Scope", change=Change.NEXT_START, http=True)
_pattern = partial(_scope, change=Change.ADDED, most=100, form="advanced", metavar="REGEX")
_politeness = partial(Option, group="Politeness", change=Change.NEXT_START, http=True)
_pace = partial(_politeness, change=Change.AT_ONCE, limit=True, revisit=True)
_requests = partial(Option, group="Requests", change=Change.NEXT_START)
_secret = partial(_requests, secret=True, revisit=True)
_verdicts = partial(Option, group="Verdicts", change=Change.NEXT_START)
_teachers = partial(Option, group="Teachers", change=Change.NEXT_START)
_kept = partial(Option, group="What is kept", change=Change.NEXT_START)


class Config(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """All that defines a crawl; defaults are safe."""

    topic: Annotated[str, _topic("Words that name the topic, phrases in quotes", spelling="", http=True)] = ""
    phrases: Annotated[
        list[str], _topic("Word sequence that counts as one term", spelling="--phrase", http=True)
    ] = []
    language: Annotated[
        str,
        _topic(
            "Language of the topic's words, as an ISO 639-1 code",
            check=check_language,
            http=True,
            form="advanced",
        ),
    ] = "en"
    examples: Annotated[
        list[str], _topic("Page on the topic: a file or a folder", spelling="--example", metavar="PATH")
    ] = []
    counter_examples: Annotated[
        list[str],
        _topic("Page off the topic: a file or a folder", spelling="--counter-example", metavar="PATH"),
    ] = []
    query_log: Annotated[str, _topic("File of queries, one a line", metavar="PATH")] = ""
    results: Annotated[
        list[str],
        _topic(
            "Title and snippet of each search result; set if search engines gave the seeds",
            spelling="",
            http=True,
        ),
    ] = []
    saved_topic: Annotated[
        str, _topic("A topic saved with `lagotto topic`", spelling="--topic", metavar="NAME", http=True)
    ] = ""
    network: Annotated[str, _topic("A network trained with `lagotto train`", metavar="NAME", http=True)] = ""

    seeds: Annotated[
        list[str],
        _start(
            "URL to start from; may be repeated",
            spelling="--seed",
            metavar="URL",
            hide=drop_user,
            change=Change.ADDED,
            http=True,
            most=10_000,
        ),
    ] = []
    seed_scores: Annotated[
        list[float],
        _start(
            "Link score of each seed; set if search engines ranked them",
            spelling="",
            http=True,
            most=10_000,
            change=Change.NEVER,
        ),
    ] = []

    strategy: Annotated[str, _strategy("How to choose links; see `lagotto strategies`", metavar="NAME")] = (
        "scent"
    )
    options: Annotated[
        dict[str, Any], _strategy("Option of the strategy", spelling="--option", metavar="NAME=VALUE")
    ] = {}
    random_seed: Annotated[int, _strategy("Seed of what the strategy draws at random", least=0)] = 0

    max_pages: Annotated[int, _limit("Stop after this many pages with status 200", form="plain")] = 0
    max_time: Annotated[float, _limit("Stop after this many seconds", form="plain")] = 0.0
    max_bytes: Annotated[int, _limit("Stop after this many bytes", form="advanced")] = 0
    max_requests: Annotated[
        int,
        _budget(
            "Stop after this many requests, with redirects, retries and robots.txt",
            least=0,
            zero="20 times --max-pages plus 1,000, if pages are limited",
        ),
    ] = 0
    stop: Annotated[
        Literal["budget", "auto"],
        _budget("When to stop; auto: also when the strategy finds that little is left", form="advanced"),
    ] = "budget"

    depth: Annotated[
        int,
        _scope(
            "Follow links at most this far from a seed",
            least=0,
            zero=NO_LIMIT,
            change=Change.AT_ONCE,
            most=10**6,
            form="advanced",
        ),
    ] = 0
    include: Annotated[list[str], _pattern("Only URLs that match this regular expression")] = []
    exclude: Annotated[list[str], _pattern("No URL that matches this regular expression")] = []
    same_site: Annotated[
        bool, _scope("Stay on the seeds' sites", spelling="--same-site/--any-site", form="advanced")
    ] = False
    host_limit: Annotated[
        int,
        _scope("Pages of one host at most", least=0, zero=NO_LIMIT, change=Change.AT_ONCE, form="advanced"),
    ] = 100_000
    hosts_per_site: Annotated[
        int, _scope("Hosts of one registrable domain at most", least=0, zero=NO_LIMIT)
    ] = 1000
    pattern_limit: Annotated[
        int,
        _scope(
            "Pages of a host with URLs of one shape at most, such as /calendar?month=#",
            least=0,
            zero=NO_LIMIT,
        ),
    ] = 5000
    avoid_traps: Annotated[
        bool,
        _scope(
            "Refuse links into session ids, mirrors, facets and mazes",
            spelling="--avoid-traps/--ignore-traps",
        ),
    ] = True

    delay: Annotated[
        float, _pace("Seconds between requests to one host", least=0, most=10**6, form="plain")
    ] = 1.0
    ip_delay: Annotated[
        float,
        _pace("Seconds between requests to one IP address", least=0, zero="off", most=10**6, form="advanced"),
    ] = 0.0
    concurrency: Annotated[
        int, _pace("Requests at once over all hosts", least=1, most=10_000, form="plain")
    ] = 16
    connections_per_host: Annotated[
        int, _politeness("Requests at once to one host", least=1, most=100, form="advanced")
    ] = 1
    patience: Annotated[
        float | Literal["auto"],
        _politeness(
            "Seconds that scent waits for a host with better links before it asks another one",
            least=0,
            default="a quarter of --delay with --max-pages, none with --max-time or --concurrency above 16",
            most=3600,
        ),
    ] = "auto"
    obey_robots: Annotated[
        bool, _politeness("Obey robots.txt", spelling="--robots/--no-robots", form="advanced")
    ] = True
    obey_nofollow: Annotated[
        bool,
        _politeness(
            "Leave out links marked rel=nofollow",
            spelling="--obey-nofollow/--ignore-nofollow",
            form="advanced",
        ),
    ] = False
    obey_opt_outs: Annotated[
        bool,
        _politeness(
            "Leave out pages that opt out of text and data mining or of AI; asks each host for tdmrep.json",
            spelling="--obey-opt-outs/--ignore-opt-outs",
        ),
    ] = False
    sitemaps: Annotated[bool, _politeness("Take links from sitemaps as well", form="advanced")] = False
    contact: Annotated[
        str,
        _politeness(
            "URL that tells site owners who you are; part of the User-Agent", metavar="URL", form="advanced"
        ),
    ] = ""

    headers: Annotated[
        list[str],
        _secret(
            "Extra header, sent to the seeds' origins; ${NAME} stands for an environment variable",
            spelling="--header",
            metavar="'NAME: VALUE'",
            hide=hide_header,
        ),
    ] = []
    cookies: Annotated[str, _requests("cookies.txt file", metavar="PATH")] = ""
    auth: Annotated[
        list[str],
        _secret(
            "user:password@https://origin, sent to that origin; ${NAME} stands for an environment variable",
            hide=hide_auth,
        ),
    ] = []
    proxy: Annotated[
        str, _secret("HTTP proxy, such as http://127.0.0.1:3128", metavar="URL", hide=hide_proxy)
    ] = ""
    allow_private: Annotated[
        list[str], _requests("Private range that may be fetched from", metavar="CIDR", revisit=True)
    ] = []
    insecure: Annotated[
        bool, _requests("Accept invalid TLS certificates", spelling="--insecure/--verify", http=True)
    ] = False
    max_size: Annotated[
        int, _requests("Bytes of a page at most, decompressed", least=1, http=True, most=1 << 30)
    ] = 10 * 1024 * 1024
    timeout: Annotated[
        float,
        _requests("Seconds that a request may take in all", above=0, http=True, most=3600, revisit=True),
    ] = 30.0
    pdf: Annotated[bool, _requests("Read PDF files as pages", check=check_pdf, http=True)] = False
    retries: Annotated[
        int,
        _requests(
            "Further tries after a temporary failure",
            least=0,
            change=Change.AT_ONCE,
            http=True,
            most=100,
            revisit=True,
        ),
    ] = 2
    retry_wait: Annotated[
        float,
        _requests("Seconds before the first of them", least=0, change=Change.AT_ONCE, http=True, most=86_400),
    ] = 5.0

    judge_again: Annotated[bool, _verdicts("Judge all pages again at the end", http=True)] = True
    encoder: Annotated[
        str,
        _verdicts(
            "Folder of a sentence encoder that helps to judge; auto: the packaged MiniLM if it is installed;"
            " none: no encoder",
            metavar="PATH",
        ),
    ] = "auto"
    encode: Annotated[
        Literal["end", "always"],
        _verdicts(
            "When the encoder is used; end: to judge all pages again; always: also on the anchors of links"
            " while crawling",
            http=True,
        ),
    ] = "end"

    ask: Annotated[
        int, _teachers("Ask on the terminal about this many pages while the crawl runs", least=0, zero="none")
    ] = 0
    teacher: Annotated[
        str,
        _teachers(
            "OpenAI-compatible endpoint of a language model that is asked about single pages",
            metavar="URL",
            hide=drop_user,
        ),
    ] = ""
    teacher_model: Annotated[str, _teachers("Model to ask there", metavar="NAME")] = ""
    teacher_calls: Annotated[int, _teachers("Requests to the teacher at most", least=1)] = 50

    content_seen: Annotated[bool, _kept("Leave out pages whose content was seen before", http=True)] = True
    keep_text: Annotated[bool, _kept("Keep the text of pages", http=True)] = True
    keep_warc: Annotated[bool, _kept("Keep answers as WARC", http=True)] = True
    durability: Annotated[
        Literal["checkpoint", "full"],
        _kept("Pages that a power cut leaves: those of the last checkpoint, or all (one machine)", http=True),
    ] = "checkpoint"
    index: Annotated[bool, _kept("Keep the search index up to date while the crawl runs", http=True)] = False
    warc_size: Annotated[int, _kept("Bytes after which a new WARC file begins", least=1, http=True)] = (
        1_000_000_000
    )
    pages_folder: Annotated[
        str, _kept("Folder to write each page into as it comes, besides the WARC", metavar="PATH")
    ] = ""
    parsers: Annotated[
        int, _kept("Parser processes", least=0, zero="one a core, at most four", http=True, most=64)
    ] = 0

    def check(self) -> None:
        """Refuse values of a wrong type or out of range, with a sentence that says what to write instead."""
        for name, field in fields().items():
            field.check(getattr(self, name))

    def in_words(self) -> str:
        """What is looked for, in a few words."""
        given = self.topic or self.saved_topic or self.network
        return given or (f"what {self.query_log} asks for" if self.query_log else "pages like the examples")


@cache
def fields() -> dict[str, Field]:
    """Name -> field, with its option, of the whole configuration."""
    return fields_of(Config)


def from_values(values: dict[str, Any], base: Config | None = None) -> Config:
    """Configuration from named values, over another one or the defaults; see `by_name` for the names."""
    merged = {**(msgspec.to_builtins(base) if base else {}), **by_name(values)}
    for name, value in merged.items():
        fields()[name].check(value)
    return msgspec.convert(merged, Config)


def by_name(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by the names of their fields.

    A name may also be the command line's, such as `robots` for `obey_robots` and `seed` for `seeds`.
    """
    named: dict[str, Any] = {}
    for name, value in values.items():
        field = _field(name)
        if field.many and isinstance(value, str):
            value = [value]
        if field.name in named and not field.many:
            raise InputError(f"'{field.name}' and '{field.alias}' are one option; give it once")
        named[field.name] = [*named[field.name], *value] if field.name in named else value
    return named


def _field(name: str) -> Field:
    known = fields()
    by_alias = {field.alias: field for field in known.values() if field.alias not in ("", *known)}
    if name in known or name in by_alias:
        return known.get(name) or by_alias[name]
    near = get_close_matches(name, [*known, *by_alias], n=1)
    hint = f"did you mean '{near[0]}'?" if near else "`lagotto crawl --help` lists them"
    raise InputError(f"there is no option '{name}'; {hint}")


def public(config: Config) -> Config:
    """The configuration without passwords and keys, fit to be written down and handed on."""
    return msgspec.structs.replace(config, **public_values(msgspec.structs.asdict(config)))


def public_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of options, by the names of their fields, without passwords and keys."""
    shown = dict(values)
    for name, value in values.items():
        field = fields()[name]
        if (hide := field.option.hide) is not None:
            shown[name] = list(map(hide, value)) if field.many else hide(value)
    return shown


def secrets_in(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Options among named changes that may hold passwords and keys, by the names of their fields."""
    secret = {name for name, field in fields().items() if field.option.secret}
    spelled = secret | {fields()[name].alias for name in secret}
    return by_name({name: value for name, value in changes.items() if name in spelled})


def limits_of(config: Config) -> dict[str, float]:
    """The limits and delays that the configuration sets; 0 means none."""
    return {name: getattr(config, name) for name, field in fields().items() if field.option.limit}


def with_secrets(config: Config) -> tuple[Config, list[str]]:
    """The configuration with what its references name, and a sentence for each that names nothing.

    Values whose secret is missing are left out.
    """
    found: dict[str, Any] = {}
    missing = []
    for name, field in fields().items():
        if not field.option.secret:
            continue
        values, known = getattr(config, name), []
        for value in values if field.many else [values]:
            try:
                known.append(look_up(value))
            except MissingSecret as secret:
                missing.append(
                    f"{field.spellings} '{value}' needs {secret}, since a crawl directory keeps no secrets; "
                    f"set it, or give {field.spellings} again"
                )
        found[name] = known if field.many else "".join(known)
    return msgspec.structs.replace(config, **found), missing


def load(path: Path) -> Config:
    """Read a TOML file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the configuration {path}: {error.strerror}") from None
    return decode(content, str(path))


def decode(content: bytes, source: str) -> Config:
    """Configuration from TOML; `source` names it in errors."""
    try:
        values = msgspec.toml.decode(content)
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(f"{source} is not valid TOML: {error}") from None
    try:
        return from_values(values)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def encode(config: Config) -> bytes:
    """The configuration as TOML, without secrets."""
    return msgspec.toml.encode(public(config))

"""The frozen webs that benchmarks crawl, and a mixture of hostile pages."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NamedTuple, NoReturn

import xxhash
from measuring import OUTPUT, PROJECT

from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.web import FrozenWeb, Web, WebPage

DATA = Path(os.environ.get("LAGOTTO_DATA") or PROJECT.parent / "shared")


class Task(NamedTuple):
    """Words and seeds of a crawl."""

    words: str
    seeds: list[str]


def web_path(name: str) -> Path:
    """The frozen web's file, imported on first use; ends the benchmark if it is missing."""
    path = OUTPUT / f"{name}.web"
    if not path.exists():
        source = DATA / "webs" / name / "pages.jsonl.zst"
        if not source.exists():
            skip(f"there is no frozen web '{name}' in {DATA}; set LAGOTTO_DATA")
        OUTPUT.mkdir(exist_ok=True)
        import_web([source], path)
    return path


def task(name: str, topic: str) -> Task:
    """A topic of a frozen web."""
    topics = json.loads((DATA / "webs" / name / "topics.json").read_text("utf-8"))
    return Task(topics[topic]["words"], topics[topic]["seeds"])


def skip(why: str) -> NoReturn:
    """End a benchmark that cannot run here, without failing those that come after it."""
    print(f"skipped: {why}", flush=True)
    sys.exit(0)


class HostileWeb:
    """A web with a share of hostile pages; their links stay, so that crawls take the same way."""

    def __init__(self, web: FrozenWeb, share: float) -> None:
        self.web = web
        self.share = share

    def page(self, url: str) -> WebPage | None:
        """The page, perhaps made hostile."""
        page = self.web.page(url)
        if page is None:
            return None
        drawn = xxhash.xxh3_64_intdigest(page.url.encode())
        return _KINDS[drawn % len(_KINDS)](page) if drawn >> 32 < self.share * 2**32 else page

    def redirect(self, url: str) -> str | None:
        """As it was."""
        return self.web.redirect(url)

    def robots(self, host: str) -> str | None:
        """As it was."""
        return self.web.robots(host)


def open_web(path: Path, hostile: float) -> Web:
    """A frozen web, with a share of hostile pages."""
    return HostileWeb(FrozenWeb.open(path), hostile)


def _nested(page: WebPage) -> WebPage:
    return page._replace(body=b"<div>" * 20_000 + page.body)


def _with_long_attribute(page: WebPage) -> WebPage:
    return page._replace(body=b'<p title="' + b"x" * 1_000_000 + b'">' + page.body)


def _with_many_attributes(page: WebPage) -> WebPage:
    names = b" ".join(b"a%d=%d" % (i, i) for i in range(10_000))
    return page._replace(body=b"<p " + names + b">" + page.body)


def _bomb(page: WebPage) -> WebPage:
    """Four million spaces and line feeds, some twenty kilobytes compressed."""
    return page._replace(body=page.body + b" \n" * 2_000_000)


def _in_wrong_encoding(page: WebPage) -> WebPage:
    noise = bytes(range(128, 256)) * 50
    return page._replace(body=page.body + noise, content_type="text/html; charset=shift_jis")


def _unclosed(page: WebPage) -> WebPage:
    return page._replace(body=b"<b><i><u><font><a name=x>" * 2_000 + page.body)


_KINDS = (_nested, _with_long_attribute, _with_many_attributes, _bomb, _in_wrong_encoding, _unclosed)

"""Compute the background document frequencies that ship with the package, from frozen webs.

    python scripts/make_background.py FOLDER [--webs webkb wikischools] [-o FILE]

FOLDER holds the webs, each a folder with `pages.jsonl.zst`. The same number of pages is taken from each web
and spread over its hosts, so that no web and no host dominates. Only English pages count. Labels are not
read.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from lagotto.base.urls import checksum, host_of
from lagotto.focus.topic.background import FOLDER, Background, encode
from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.web import FrozenWeb
from lagotto.parse.page import parse_page

WEBS = ("debdocs", "webkb", "wikischools")


def chosen(urls: Iterable[str], wanted: int) -> list[str]:
    """The wanted number of URLs, one of each host in turn, in the order of their checksums."""
    by_host: dict[str, list[str]] = defaultdict(list)
    for url in sorted(urls, key=checksum):
        by_host[host_of(url)].append(url)
    turns = [(turn, host, url) for host, of_host in by_host.items() for turn, url in enumerate(of_host)]
    return [url for _, _, url in sorted(turns)[:wanted]]


def frequencies(web: FrozenWeb, wanted: int) -> tuple[int, Counter[str]]:
    """Number of English pages, and document frequency of each stem."""
    found: Counter[str] = Counter()
    read = 0
    for url in chosen(web.urls(), wanted):
        got = web.page(url)
        assert got is not None
        page = parse_page(got.url, got.body, declared_type=got.content_type)
        if page.language == "en":
            found.update(page.terms.keys())
            read += 1
    return read, found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="folder that holds the webs")
    parser.add_argument("--webs", nargs="+", default=WEBS)
    parser.add_argument("--pages", type=int, default=5000, help="pages of each web")
    parser.add_argument("--at-least", type=int, default=4, help="pages that must have a stem to keep it")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER / "en.zst")
    asked = parser.parse_args()
    documents = 0
    total: Counter[str] = Counter()
    for name in asked.webs:
        with TemporaryDirectory() as scratch:
            import_web([asked.folder / name], Path(scratch) / "web")
            with FrozenWeb.open(Path(scratch) / "web") as web:
                read, found = frequencies(web, asked.pages)
        print(f"{name}: {read} pages, {len(found)} stems")
        documents += read
        total += found
    # A stem on one or two pages is often a misspelling, and as rare as an unknown one.
    kept = {stem: count for stem, count in total.items() if count >= asked.at_least}
    asked.output.write_bytes(encode(Background(documents, kept)))
    print(f"{asked.output}: {documents} pages, {len(kept)} stems, {asked.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Accuracy of a network that is trained on pages and applied to link contexts, as in the paper of `neural`.

    python benchmarks/network_contexts.py WEB

WEB is a folder with `pages.jsonl.zst`, `labels.csv` and `topics.json`. For each topic a network learns from
up to 60 pages on it and 120 others: once from whole pages, once from the same pages cut into pieces as long
as a context, once from the contexts of links that lead to them. All are tried on other pages, and on
contexts of links that lead to those.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from lagotto.base.records import Page
from lagotto.focus.topic import Network, Settings, evaluate, link_contexts, pieces, train
from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.web import FrozenWeb
from lagotto.parse.page import parse_page

Counts = dict[str, int]
PIECES_A_PAGE = 15
EPOCHS = {"pages": 500, "pieces": 30, "contexts": 30}
"""Short texts contradict each other: their error stays large, and more epochs overfit."""


class Examples(NamedTuple):
    """Pages on a topic and others, and contexts of links to them."""

    pages: tuple[list[Page], list[Page]]
    contexts: tuple[list[Counts], list[Counts]]


def read_pages(folder: Path) -> list[Page]:
    """All pages of a web, parsed."""
    with TemporaryDirectory() as scratch:
        import_web([folder], Path(scratch) / "web")
        with FrozenWeb.open(Path(scratch) / "web") as web:
            return [parse_page(page.url, page.body, declared_type=page.content_type) for page in web]


def examples(pages: Sequence[Page], yes: list[Page], no: list[Page], avoid: set[str]) -> Examples:
    """Examples of these pages, and of links to them from pages that are not to be avoided."""
    linking = [page for page in pages if page.url not in avoid]
    contexts = [link_contexts(linking, {page.url for page in group}) for group in (yes, no)]
    for group in contexts:
        random.Random(0).shuffle(group)
    return Examples((yes, no), (contexts[0], contexts[1]))


def networks(learn: Examples) -> dict[str, Network]:
    """A network of each kind."""
    draw = random.Random(0)
    whole = [[page.terms for page in group] for group in learn.pages]
    cut = [
        [piece for page in group for piece in _some(pieces(f"{page.title}\n{page.text}"), draw)]
        for group in learn.pages
    ]
    around = [learn.contexts[0][:900], learn.contexts[1][:1800]]
    return {
        kind: train(kind, yes, no, settings=Settings(max_epochs=EPOCHS[kind]), held_out=0)
        for kind, (yes, no) in {"pages": whole, "pieces": cut, "contexts": around}.items()
    }


def _some(found: list[Counts], draw: random.Random) -> list[Counts]:
    return draw.sample(found, min(PIECES_A_PAGE, len(found)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("web", type=Path)
    folder = parser.parse_args().web
    pages = read_pages(folder)
    with (folder / "labels.csv").open() as rows:
        labelled = [(row["url"], row["topic"]) for row in csv.DictReader(rows)]
    print("topic, trained on: precision, recall, accuracy on pages | on contexts")
    for topic in json.loads((folder / "topics.json").read_text()):
        wanted = {url for url, label in labelled if label == topic}
        shuffled = random.Random(topic).sample(pages, len(pages))
        yes = [page for page in shuffled if page.url in wanted]
        no = [page for page in shuffled if page.url not in wanted]
        half = min(60, len(yes) // 2)
        learned = {page.url for page in yes[:half] + no[:120]}
        learn = examples(pages, yes[:half], no[:120], learned)
        test = examples(pages, yes[half:], no[120:720], learned)
        for kind, network in networks(learn).items():
            on_pages = evaluate(network, *([page.terms for page in group] for group in test.pages))
            on_contexts = evaluate(network, *(group[:1000] for group in test.contexts))
            measures = [
                f"{counted.precision:.2f} {counted.recall:.2f} {counted.accuracy:.2f}"
                for counted in (on_pages, on_contexts)
            ]
            print(f"{topic}, {kind}: {' | '.join(measures)}", flush=True)


if __name__ == "__main__":
    main()

"""Main content as text, beside trafilatura: how much of it is found, how much else, and at what cost.

    python benchmarks/bench_text.py [--rounds 3]

128 pages of the frozen webs were labelled by hand with snippets that belong to the main content and snippets
that do not; 29 of them after the rules of Lagotto had been made, which are not fitted to them. CPU time is
that of a page, the best of some rounds, the extractors taking turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

from text_labels import Label, read_labels, read_pages, scores_of
from webs import DATA, skip

from lagotto.parse.page import parse_page
from lagotto.parse.stored import to_text

Extract = Callable[[str, str], str]


def extractors() -> dict[str, Extract]:
    """Name -> extractor."""
    import trafilatura

    extract = partial(trafilatura.extract, include_comments=False, include_tables=True)
    return {
        "Lagotto": lambda html, _: to_text(html),
        "Lagotto, text that is judged": lambda html, url: parse_page(url, html.encode()).text,
        "trafilatura": lambda html, url: extract(html, url=url) or "",
        "trafilatura, fast": lambda html, url: extract(html, url=url, fast=True) or "",
        "trafilatura, favour recall": lambda html, url: extract(html, url=url, favor_recall=True) or "",
    }


def seconds_a_page(extract: Extract, labels: list[Label], pages: dict[str, str]) -> float:
    """CPU time of one extraction."""
    begun = time.process_time()
    for label in labels:
        extract(pages[label.url], label.url)
    return (time.process_time() - begun) / len(labels)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    labels = read_labels()
    if not (DATA / "webs").exists():
        skip(f"there are no frozen webs in {DATA}; set LAGOTTO_DATA")
    pages = read_pages(DATA / "webs", labels)
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, extract in extractors().items():
            best[name] = min(best.get(name, 1e9), seconds_a_page(extract, labels, pages))
    later = [label for label in labels if label.later]
    print("| extractor | precision | recall | F1 | F1 on pages labelled later | CPU ms a page |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, extract in extractors().items():
        found = scores_of(extract, labels, pages)
        scores = f"{found.precision:.3f} | {found.recall:.3f} | {found.f1:.3f}"
        f1 = scores_of(extract, later, pages).f1
        print(f"| {name} | {scores} | {f1:.3f} | {1000 * best[name]:.2f} |")
    print(f"\ntrafilatura takes {best['trafilatura'] / best['Lagotto']:.0f} times as long")


if __name__ == "__main__":
    main()

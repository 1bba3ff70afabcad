"""Main content of pages of the open web (WCXB), beside trafilatura and resiliparse, and what it costs.

    python benchmarks/bench_content.py [--every N] [--as-shipped]

Lagotto's model learned from these pages. So each fifth of them is read with a model that was trained anew on
the other four; `--as-shipped` takes the model of the package instead, which has seen them all. The 128 pages
of the frozen webs are left out in the same way. Where resiliparse is not installed, its row is missing.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
import zlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from text_labels import read_labels, read_pages, scores_of
from wcxb import by_type, f1, path_of, read_wcxb
from webs import DATA, skip

from lagotto.parse.content import Model, content_model
from lagotto.parse.stored import to_text

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

Extract = Callable[[str, str], str]
"""Text of an HTML document; the second argument is what the page is known by."""


def fold_of(page: str) -> int:
    """The fold that a page belongs to."""
    return zlib.crc32(page.encode()) % 5


def lagotto(as_shipped: bool) -> Extract:
    """Lagotto with the models that have not seen the page."""
    if as_shipped:
        return lambda html, _: to_text(html)
    from make_content_model import examples, folds

    models: list[Model] = [model for model, _ in folds(list(examples()))]
    return lambda html, page: to_text(html, models[fold_of(page)])


def others() -> Iterable[tuple[str, Extract]]:
    """Other extractors that are installed."""
    if importlib.util.find_spec("trafilatura"):
        import trafilatura

        extract = partial(trafilatura.extract, include_comments=True, include_tables=True)
        yield "trafilatura", lambda html, _: extract(html) or ""
    if importlib.util.find_spec("resiliparse"):
        from resiliparse.extract.html2text import extract_plain_text

        yield "resiliparse", lambda html, _: extract_plain_text(html, main_content=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="take each N-th page alone")
    parser.add_argument("--as-shipped", action="store_true", help="measure the model of the package")
    options = parser.parse_args()
    if not path_of(DATA).exists():
        skip(f"there is no WCXB in {DATA}; set LAGOTTO_DATA")
    content_model()
    pages = list(read_wcxb(DATA))[:: options.every]
    labels = read_labels()
    labelled = read_pages(DATA / "webs", labels)
    extractors = [("Lagotto", lagotto(options.as_shipped)), *others()]
    kinds = sorted({page.type for page in pages})
    print(
        "|".join(
            ["", " extractor ", " WCXB ", *(f" {kind} " for kind in kinds), " 128 pages ", " CPU ms a page |"]
        )
    )
    print("|---|" + "---:|" * (len(kinds) + 3))
    for name, extract in extractors:
        scores, begun, spent = [], 0.0, 0.0
        for page in pages:
            begun = time.process_time()
            text = extract(page.html, page.id)
            spent += time.process_time() - begun
            scores.append((page.type, f1(text, page.main)))
        found = by_type(scores)
        means = " | ".join(f"{found[kind]:.3f}" for kind in ("mean", *kinds))
        snippets = scores_of(extract, labels, labelled)
        print(f"| {name} | {means} | {snippets.f1:.3f} | {1000 * spent / len(pages):.1f} |", flush=True)


if __name__ == "__main__":
    main()

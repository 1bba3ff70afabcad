"""Train the model that tells main content from what surrounds it, and measure it in five folds.

    python scripts/make_content_model.py [--folds] [--out FILE]

It learns from the development part of WCXB and from the pages of `benchmarks/text_labels.jsonl`, both in
LAGOTTO_DATA. Each fold is measured by a model that has seen none of its pages; the model that is written has
seen all. What a word says about the blocks that it names is learned from the other pages alone.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

from text_labels import read_labels, read_pages
from wcxb import f1, read_wcxb, report, words
from webs import DATA

from lagotto.parse.blocks import Blocks, Weights, measure, name_words, read_blocks, text_words
from lagotto.parse.content import MODEL, Model, chosen, mute
from lagotto.parse.engine import parse_tree

HIDDEN = (48, 16)
EPOCHS = 8
LEAST = (6, 8)
"""Pages on which a name or a word must stand."""
BASE = (0.62, 0.45)
"""What an unknown name or word is expected to say: its share of content."""
PRIOR = 3.0
Shares = dict[str, float]


class Example(NamedTuple):
    """A page, with what share of each block is content, and how much each counts."""

    id: str
    kind: str
    main: str
    blocks: Blocks
    shares: np.ndarray
    counts: np.ndarray
    names: Shares
    texts: Shares


def examples() -> Iterable[Example]:
    """All labelled pages that have blocks."""
    for page in read_wcxb(DATA):
        blocks = blocks_of(page.html)
        if blocks is not None:
            size = np.array([len(words(block.text)) for block in blocks.blocks], np.float64)
            shares = aligned([words(block.text) for block in blocks.blocks], page.main)
            good = max(float(size @ shares), 40.0)
            counts = np.minimum(size / good, 0.25) + 0.1 / len(size)
            yield example(page.id, page.type, page.main, blocks, shares, counts / max(counts.sum() / 2, 1))
    labels = read_labels()
    pages = read_pages(DATA / "webs", labels)
    for label in labels:
        blocks = blocks_of(pages[label.url])
        if blocks is not None:
            texts = ["".join(block.text.split()) for block in blocks.blocks]
            inside, outside = (["".join(s.split()) for s in some] for some in (label.inside, label.outside))
            right = np.array([any(s in t or t in s for s in inside) for t in texts], float)
            wrong = np.array([any(s in t or t in s for s in outside) for t in texts], float)
            counts = 4.0 * (right != wrong) / max((right != wrong).sum(), 1)
            yield example(label.url, "", "", blocks, right, counts)


def blocks_of(html: str) -> Blocks | None:
    """Blocks of a document, without its tree."""
    tree = parse_tree(html)
    mute(tree)
    body = tree.select_one("body")
    found = None if body is None else read_blocks(body)
    if found is None or not found.blocks:
        return None
    return found._replace(blocks=[block._replace(nodes=[]) for block in found.blocks], elements=[])


def aligned(texts: Sequence[list[str]], main: str) -> np.ndarray:
    """Share of the words of each block that stand in the main text, in this order.

    A block of one or two words must be a line of the main text, or stand there beside its neighbours.
    """
    all_words = words(main)
    triples = set(zip(all_words, all_words[1:], all_words[2:], strict=False))
    known: set[tuple[str, ...]] = {*triples, *pairwise(all_words), *((word,) for word in all_words)}
    lines = {tuple(words(line)) for line in main.splitlines()}
    shares = np.zeros(len(texts))
    for place, text in enumerate(texts):
        if len(text) >= 3:
            covered = {
                at + step
                for at in range(len(text) - 2)
                if tuple(text[at : at + 3]) in triples
                for step in range(3)
            }
            shares[place] = len(covered) / len(text)
        elif text and tuple(text) in known:
            before = [word for near in texts[max(0, place - 3) : place] for word in near][-2:]
            after = [word for near in texts[place + 1 : place + 4] for word in near][:2]
            beside = {tuple((before + text)[:3]), tuple((text + after)[-3:])}
            shares[place] = tuple(text) in lines or not beside.isdisjoint(triples)
    return shares


def example(id: str, kind: str, main: str, blocks: Blocks, shares: np.ndarray, counts: np.ndarray) -> Example:
    """A page with the share of content of what each of its names and words stands for."""
    owners = np.array([block.owner for block in blocks.blocks])
    size = np.array([len(block.text) for block in blocks.blocks]) * (counts > 0)
    good = np.bincount(owners, size * shares, len(blocks.parents)).tolist()
    whole = np.bincount(owners, size, len(blocks.parents)).tolist()
    for place in range(len(whole) - 1, 0, -1):
        parent = blocks.parents[place]
        good[parent] += good[place]
        whole[parent] += whole[place]
    named: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for place, names in enumerate(blocks.names):
        if whole[place]:
            for name in name_words(names):
                named[name][0] += good[place]
                named[name][1] += whole[place]
    said: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for block, share, count in zip(blocks.blocks, shares, counts, strict=True):
        for word in set(text_words(block.text)) if count else ():
            said[word][0] += share
            said[word][1] += 1
    of_names, of_texts = ({word: a / b for word, (a, b) in some.items()} for some in (named, said))
    return Example(id, kind, main, blocks, shares, counts, of_names, of_texts)


class Table:
    """What names or words say, summed over pages."""

    def __init__(self, pages: Iterable[Shares], which: int) -> None:
        self.base, self.least = BASE[which], LEAST[which]
        self.sums: defaultdict[str, float] = defaultdict(float)
        self.pages: Counter[str] = Counter()
        for page in pages:
            self.pages.update(page.keys())
            for word, share in page.items():
                self.sums[word] += share

    def without(self, page: Shares) -> dict[str, float]:
        """What the words of a page say on all other pages."""
        return {
            word: self._score(self.sums[word] - share, self.pages[word] - 1) for word, share in page.items()
        }

    def all(self) -> dict[str, float]:
        """What words say, without those that say little."""
        found = {word: round(self._score(self.sums[word], number), 2) for word, number in self.pages.items()}
        return {word: score for word, score in found.items() if abs(score) >= 0.15}

    def _score(self, good: float, number: int) -> float:
        if number < self.least:
            return 0.0
        odds = (good + PRIOR * self.base) / (number - good + PRIOR * (1 - self.base))
        return float(np.clip(np.log(odds) - np.log(self.base / (1 - self.base)), -3, 3))


def train(pages: Sequence[Example], seed: int = 0) -> Model:
    """A network of two hidden layers, by Adam with a falling rate."""
    names, texts = Table((p.names for p in pages), 0), Table((p.texts for p in pages), 1)
    rows = np.concatenate(
        [measure(p.blocks, Weights(names.without(p.names), texts.without(p.texts), {})) for p in pages]
    )
    shares = np.concatenate([p.shares for p in pages]).astype(np.float32)
    counts = np.concatenate([p.counts for p in pages])
    random = np.random.default_rng(seed)
    # Of the many blocks that count little, some stand for all.
    counts = counts / counts.mean()
    chance = np.clip(counts * 1.5, 0.15, 1.0) * (counts > 0)
    chosen = random.random(len(counts)) < chance
    mean, spread = rows.mean(0), rows.std(0) + 1e-3
    model = Model(Weights(names.all(), texts.all(), {}), mean, spread, layers(rows.shape[1], random))
    weights = np.minimum(counts[chosen] / chance[chosen], 30).astype(np.float32)
    adam(model.layers, model.scaled(rows[chosen]), shares[chosen], weights / weights.mean(), random)
    return model


def layers(width: int, random: np.random.Generator) -> list[np.ndarray]:
    """Weights and biases to begin with, in turn."""
    sizes = (width, *HIDDEN, 1)
    found: list[np.ndarray] = []
    for rows, columns in pairwise(sizes):
        found += [random.normal(0, (2 / rows) ** 0.5, (rows, columns)).astype(np.float32)]
        found += [np.zeros(columns, np.float32)]
    return found


def adam(
    layers: list[np.ndarray],
    rows: np.ndarray,
    shares: np.ndarray,
    weights: np.ndarray,
    random: np.random.Generator,
    *,
    batch: int = 512,
    rate: float = 3e-3,
    drop: float = 0.1,
) -> None:
    """Fit the layers in place."""
    first, second = ([np.zeros_like(layer) for layer in layers] for _ in range(2))
    depth = len(layers) // 2
    steps = EPOCHS * -(-len(rows) // batch)
    step = 0
    for _ in range(EPOCHS):
        order = random.permutation(len(rows))
        for start in range(0, len(rows), batch):
            some = order[start : start + batch]
            values = [rows[some]]
            for layer in range(depth):
                value = values[-1] @ layers[2 * layer] + layers[2 * layer + 1]
                if layer < depth - 1:
                    kept = random.random(value.shape, dtype=np.float32) > drop
                    value = np.maximum(value, 0) * kept / np.float32(1 - drop)
                values.append(value)
            chance = 1 / (1 + np.exp(-np.clip(values[-1][:, 0], -30, 30)))
            error = ((chance - shares[some]) * weights[some] / len(some))[:, None].astype(np.float32)
            slopes: list[np.ndarray] = []
            for layer in range(depth - 1, -1, -1):
                slopes += [error.sum(0), values[layer].T @ error]
                error = (error @ layers[2 * layer].T) * (values[layer] > 0) / np.float32(1 - drop)
            step += 1
            now = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
            for place, slope in enumerate(reversed(slopes)):
                first[place] += 0.1 * (slope - first[place])
                second[place] += 0.001 * (slope * slope - second[place])
                change = first[place] / (1 - 0.9**step)
                change /= np.sqrt(second[place] / (1 - 0.999**step)) + 1e-8
                layers[place] -= np.float32(now) * (change + np.float32(1e-3) * layers[place])


def folds(pages: Sequence[Example]) -> Iterator[tuple[Model, list[Example]]]:
    """Five times a model, and the pages that it has not seen."""
    fold = [zlib.crc32(page.id.encode()) % 5 for page in pages]
    for left_out in range(5):
        model = train([page for page, number in zip(pages, fold, strict=True) if number != left_out])
        yield model, [page for page, number in zip(pages, fold, strict=True) if number == left_out]


def score(page: Example, chances: np.ndarray) -> float:
    """F1 of the blocks that are kept."""
    sizes = np.array([len(block.text) for block in page.blocks.blocks])
    kept = zip(page.blocks.blocks, chosen(chances, sizes), strict=True)
    return f1("\n".join(block.text for block, keep in kept if keep), page.main)


def main() -> None:
    """Train on everything, write; on demand measure in folds first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folds", action="store_true", help="measure in five folds first")
    parser.add_argument("--out", type=Path, default=MODEL)
    options = parser.parse_args()
    pages = list(examples())
    if options.folds:
        found = [
            (page.kind, score(page, model.chances(page.blocks)))
            for model, unseen in folds(pages)
            for page in unseen
            if page.kind
        ]
        print(report(found), flush=True)
    train(pages).write(options.out)
    print(f"{options.out.name}: {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

"""Make the thesaurus that ships with the package, from WordNet's own files.

    python scripts/make_thesaurus.py WORDNET [-o FILE]

WORDNET is a folder with `data.noun`, `data.verb`, `data.adj`, `data.adv` and `index.sense` of WordNet 3.0, as
Debian's packages `wordnet-base` and `wordnet-sense-index` hold them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lagotto.base.text import terms
from lagotto.focus.topic.thesaurus import FOLDER, STEPS, Listing, encode

PARTS_OF_SPEECH = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
KINDS, PARTS, TERMS, INSTANCE_OF = {"~", "~i"}, {"%p"}, {"-c"}, "@i"
"""Pointers to kinds and instances, to parts, to terms of a field, and from an instance to its class."""
_LETTER = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
"""First digit of a sense's key -> part of speech."""

Pair = tuple[int, int]


class Synset(NamedTuple):
    """A line of a data file."""

    id: str
    pointers: list[tuple[str, str]]
    """Kind of pointer, and id of the synset it leads to."""


def synsets(folder: Path) -> Iterator[Synset]:
    """All synsets, the nouns first."""
    for name, letter in PARTS_OF_SPEECH.items():
        with (folder / f"data.{name}").open(encoding="ascii") as lines:
            for line in lines:
                if not line.startswith(" "):
                    yield _synset(line.split("|")[0].split(), letter)


def _synset(fields: list[str], letter: str) -> Synset:
    after_words = 4 + 2 * int(fields[3], 16)
    pointers = fields[after_words + 1 : after_words + 1 + 4 * int(fields[after_words])]
    targets = zip(pointers[::4], pointers[1::4], pointers[2::4], strict=True)
    return Synset(
        letter + fields[0], [(kind, part.replace("s", "a") + offset) for kind, offset, part in targets]
    )


def senses(folder: Path) -> dict[str, dict[str, float]]:
    """Name -> synset id -> share of this meaning in tagged texts.

    The n-th sense gets 1 / n added to its count, since most names were never tagged.
    """
    found: dict[str, dict[str, float]] = defaultdict(dict)
    with (folder / "index.sense").open(encoding="ascii") as lines:
        for line in lines:
            key, offset, number, count = line.split()
            name, _, rest = key.partition("%")
            found[name][_LETTER[rest[0]] + offset] = int(count) + 1.0 / int(number)
    return {
        name: {id: count / sum(counts.values()) for id, count in counts.items()}
        for name, counts in found.items()
    }


def listing(folder: Path) -> Listing:
    """The parts of WordNet that are kept."""
    concepts = {synset.id: number for number, synset in enumerate(synsets(folder))}
    kinds, parts, fields = relations(folder, concepts)
    of_name = senses(folder)
    stems_of = {name: terms(name.replace("_", " ")) for name in of_name}
    named = {name: stems for name, stems in stems_of.items() if stems}
    stems = {stem: number for number, stem in enumerate(sorted(set(chain.from_iterable(named.values()))))}
    rows = sorted(
        (concepts[id], number, round(share * STEPS))
        for number, name in enumerate(named)
        for id, share in of_name[name].items()
    )
    rows_concepts, names, shares = zip(*rows, strict=True)
    return Listing(
        stems=" ".join(stems),
        nouns=sum(id.startswith("n") for id in concepts),
        lengths=np.array([len(found) for found in named.values()], np.uint8).tobytes(),
        name_stems=_column(stems[stem] for stem in chain.from_iterable(named.values())),
        senses=(_column(rows_concepts), _column(names), np.array(shares, np.uint8).tobytes()),
        kinds=_columns(kinds),
        parts=_columns(parts),
        fields=_columns(fields),
    )


def relations(folder: Path, concepts: dict[str, int]) -> tuple[list[Pair], list[Pair], list[Pair]]:
    """Kinds of all concepts, parts of single things such as places, and terms of fields."""
    kinds: list[Pair] = []
    parts: list[Pair] = []
    fields: list[Pair] = []
    for synset in synsets(folder):
        single = any(kind == INSTANCE_OF for kind, _ in synset.pointers)
        for kind, id in synset.pointers:
            pair = concepts[synset.id], concepts[id]
            if kind in KINDS:
                kinds.append(pair)
            elif kind in PARTS and single:
                parts.append(pair)
            elif kind in TERMS:
                fields.append(pair)
    return kinds, parts, fields


def _columns(pairs: list[Pair]) -> tuple[bytes, bytes]:
    first, second = zip(*pairs, strict=True)
    return _column(first), _column(second)


def _column(numbers: Iterable[int]) -> bytes:
    return np.fromiter(numbers, "<i4").tobytes()


def main() -> None:
    """Write the table and print its size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=FOLDER / "en.zst")
    args = parser.parse_args()
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_bytes(encode(listing(args.wordnet)))
    print(f"{args.output}: {args.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

"""Compute the word vectors that ship with the package, from a published sentence encoder.

    python scripts/make_vectors.py MODEL WEBS [-o FILE]

MODEL holds `model.safetensors` and `vocab.txt` of all-MiniLM-L6-v2; WEBS holds frozen webs, each a folder
with `pages.jsonl.zst`. The webs are used only to find the commonest word of a stem, since the encoder knows
words, not stems.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from minilm import MiniLM

from lagotto.base.text.stems import terms_of
from lagotto.base.text.tokens import tokens
from lagotto.focus.topic.background import load_background
from lagotto.focus.topic.vectors import FOLDER, encode
from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.web import FrozenWeb

WEBS = ("debdocs", "webkb", "wikischools")
WIDTH = 64
"""Dimensions kept of each of the two kinds of vector."""
_MARKUP = re.compile(rb"<(script|style).*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def spellings(web: FrozenWeb, pages: int) -> Counter[str]:
    """Document frequency of each word."""
    found: Counter[str] = Counter()
    urls = list(web.urls())
    for url in urls[:: max(1, len(urls) // pages)]:
        page = web.page(url)
        assert page is not None
        found.update(set(tokens(_MARKUP.sub(b" ", page.body).decode("utf-8", "replace"))))
    return found


def words_of_stems(found: Counter[str], vocabulary: list[str]) -> dict[str, str]:
    """Stem -> its commonest word, for the background's stems and the encoder's whole words."""
    of_stem: dict[str, Counter[str]] = defaultdict(Counter)
    stems = terms_of("en")
    for word, pages in found.items():
        if len(stems[word]) == 1:
            of_stem[stems[word][0]][word] += pages
    words = {
        stem: of_stem[stem].most_common(1)[0][0]
        for stem in load_background("en").frequencies
        if stem.isalpha() and stem in of_stem
    }
    for word in vocabulary:
        if word.isalpha() and word.isascii() and len(word) > 2 and len(stems[word]) == 1:
            words.setdefault(stems[word][0], word)
    return dict(sorted(words.items()))


def reduced(vectors: np.ndarray, width: int) -> np.ndarray:
    """Unit vectors along the directions of largest variance, whitened.

    The mean and the few directions that all words share tell how common a word is rather than what it means.
    """
    centred = vectors - vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred / len(centred))
    kept = np.argsort(-variances)[:width]
    found = centred @ directions[:, kept] / np.sqrt(variances[kept])
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path, help="folder that holds the encoder")
    parser.add_argument("folder", type=Path, help="folder that holds the webs")
    parser.add_argument("--webs", nargs="+", default=WEBS)
    parser.add_argument("--pages", type=int, default=8000, help="pages of each web")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER / "en.zst")
    asked = parser.parse_args()
    found: Counter[str] = Counter()
    for name in asked.webs:
        with TemporaryDirectory() as scratch:
            import_web([asked.folder / name], Path(scratch) / "web")
            with FrozenWeb.open(Path(scratch) / "web") as web:
                found += spellings(web, asked.pages)
    encoder = MiniLM(asked.model)
    words = words_of_stems(found, list(encoder.vocabulary))
    spelled = list(words.values())
    # Input embeddings and network outputs together are better than either alone.
    rows = np.hstack(
        [reduced(encoder.vectors(spelled), WIDTH), reduced(encoder.input_vectors(spelled), WIDTH)]
    )
    asked.output.parent.mkdir(exist_ok=True)
    asked.output.write_bytes(encode(list(words), rows))
    print(f"{asked.output}: {len(words)} stems, {asked.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()

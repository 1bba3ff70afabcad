"""The sentence encoder all-MiniLM-L6-v2 in plain numpy: enough to read its weights and embed short texts."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.special import erf

HEADS = 12
LAYERS = 6
BATCH = 256
EPSILON = 1e-12


class MiniLM:
    """A transformer of six layers whose mean output is a text's vector."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the published `model.safetensors` and `vocab.txt`."""
        self._weights = read_safetensors(folder / "model.safetensors")
        spelled = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        self.vocabulary = {piece: number for number, piece in enumerate(spelled) if piece}
        self.inputs = self._weights["embeddings.word_embeddings.weight"]
        """Input embedding of each word piece."""

    def pieces(self, word: str) -> list[int]:
        """Split a word into the longest known pieces, from left to right."""
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self.vocabulary.get(("##" if start else "") + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return [self.vocabulary["[UNK]"]]
        return found

    def input_vectors(self, words: list[str]) -> np.ndarray:
        """Mean input embedding of each word's pieces."""
        return np.array([self.inputs[self.pieces(word)].mean(axis=0) for word in words])

    def vectors(self, words: list[str]) -> np.ndarray:
        """Network output for each word, taken as a text."""
        first, last = self.vocabulary["[CLS]"], self.vocabulary["[SEP]"]
        by_length: dict[int, list[tuple[int, list[int]]]] = defaultdict(list)
        for number, word in enumerate(words):
            text = [first, *self.pieces(word), last]
            by_length[len(text)].append((number, text))
        found = np.zeros((len(words), self.inputs.shape[1]), np.float32)
        for texts in by_length.values():
            for start in range(0, len(texts), BATCH):
                batch = texts[start : start + BATCH]
                found[[number for number, _ in batch]] = self._mean_output(
                    np.array([text for _, text in batch])
                )
        return found

    def _mean_output(self, texts: np.ndarray) -> np.ndarray:
        """Vectors of texts of equal length, given as numbers of pieces."""
        places = self._weights["embeddings.position_embeddings.weight"][: texts.shape[1]]
        kind = self._weights["embeddings.token_type_embeddings.weight"][0]
        state = self._normed(self.inputs[texts] + places + kind, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            attended = self._linear(self._attention(state, name), f"{name}.attention.output.dense")
            state = self._normed(state + attended, f"{name}.attention.output.LayerNorm")
            inner = self._linear(state, f"{name}.intermediate.dense")
            inner = inner * 0.5 * (1.0 + erf(inner / np.float32(np.sqrt(2.0))))
            state = self._normed(
                state + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
            )
        return np.asarray(state.mean(axis=1))

    def _attention(self, state: np.ndarray, name: str) -> np.ndarray:
        texts, length, width = state.shape
        query, key, value = (
            self._linear(state, f"{name}.attention.self.{part}")
            .reshape(texts, length, HEADS, width // HEADS)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // HEADS))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        return np.asarray((shares @ value).transpose(0, 2, 1, 3).reshape(texts, length, width))

    def _linear(self, state: np.ndarray, name: str) -> np.ndarray:
        return np.asarray(state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"])

    def _normed(self, state: np.ndarray, name: str) -> np.ndarray:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        return np.asarray(centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"])


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """The 32-bit arrays of a safetensors file: a length, a JSON header, then the arrays end to end."""
    content = np.memmap(path, np.uint8, "r")
    start = 8 + int(content[:8].view(np.uint64)[0])
    header = json.loads(content[8:start].tobytes())
    header.pop("__metadata__", None)
    return {
        name: np.array(content[start + begin : start + end].view(np.float32)).reshape(entry["shape"])
        for name, entry in header.items()
        if entry["dtype"] == "F32"
        for begin, end in [entry["data_offsets"]]
    }

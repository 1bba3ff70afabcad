"""A sentence encoder: texts to vectors, by any model folder and the ONNX runtime (extra `semantic`)."""

from __future__ import annotations

import importlib.util
import json
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from lagotto.base.errors import InputError
from lagotto.base.records import Link, Page
from lagotto.focus.judging.bert import bert_as_onnx
from lagotto.focus.judging.packaged import check_packaged, packaged_folder
from lagotto.focus.judging.similarity import unit

Vectors = NDArray[np.float32]

TOKENS = 96
BATCH = 32
MEMORY = 200_000
"""Vectors that are remembered, the latest used ones, as 16-bit floats."""
CHARACTERS = 700
ANCHOR = 200
"""Characters of an anchor that are encoded."""
VOCABULARY, WEIGHTS = "tokenizer.json", "model.safetensors"
_MODELS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")


class Encoder:
    """Encodes texts in batches; a text that was encoded before costs nothing. Several threads may use it."""

    def __init__(self, folder: str | Path, *, tokens: int = TOKENS, threads: int = 1) -> None:
        self.folder = Path(folder)
        self.tokens = tokens
        self.threads = threads
        self.name = _name(self.folder)
        self._session, self._tokenizer = _load(self.folder, tokens, threads)
        self._inputs = {given.name for given in self._session.get_inputs()}
        self._mask_type = _mask_type(self._session)
        self._known: OrderedDict[int, NDArray[np.float16]] = OrderedDict()
        self._lock = Lock()
        self.width = self._run([""]).shape[1]

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector of length 1 for each text."""
        keys = [xxhash.xxh3_64_intdigest(text.encode("utf-8", "replace")) for text in texts]
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        ordered = sorted(new, key=lambda key: len(new[key]))
        for first in range(0, len(ordered), BATCH):
            batch = ordered[first : first + BATCH]
            vectors = self._run([new[key] for key in batch]).astype(np.float16)
            found.update(zip(batch, vectors, strict=True))
        self._remember(found)
        return np.array([found[key] for key in keys], np.float32).reshape(len(texts), self.width)

    def _remember(self, found: dict[int, NDArray[np.float16]]) -> None:
        with self._lock:
            self._known.update(found)
            for key in found:
                self._known.move_to_end(key)
            while len(self._known) > MEMORY:
                self._known.popitem(last=False)

    def _run(self, texts: list[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch(texts)
        ids = np.array([text.ids for text in encoded], np.int64)
        mask = np.array([text.attention_mask for text in encoded], self._mask_type)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        if states.ndim == 3:
            states = (states * mask[..., np.newaxis]).sum(axis=1)
        return unit(states)


def find_encoder(path: str | Path | None = None) -> Encoder | None:
    """The encoder in a folder; without one the packaged MiniLM where it is installed, else None."""
    if path is not None:
        return Encoder(path)
    folder = packaged_folder() if _installed() else None
    if folder is None:
        return None
    check_packaged(folder)
    return Encoder(folder)


def opening(title: str, description: str, text: str) -> str:
    """What of a page is encoded: title, description and the beginning of its text."""
    return f"{title}. {description} {text[:CHARACTERS]}"[:CHARACTERS]


def page_text(page: Page) -> str:
    """What of a parsed page is encoded."""
    return opening(page.title, page.description, page.text)


def anchor_text(link: Link) -> str:
    """What of a link is encoded: its anchor, or what its image shows."""
    return (link.anchor or link.alt)[:ANCHOR]


def _installed() -> bool:
    return all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime", "tokenizers"))


def check_folder(folder: Path) -> None:
    """Raise unless a folder has an encoder's files and the packages that run it are installed."""
    if not folder.is_dir():
        raise InputError(f"there is no encoder folder {folder}; name a folder with a model")
    if not _installed():
        raise InputError("an encoder needs more packages: pip install onnx onnxruntime tokenizers")
    if not (folder / VOCABULARY).is_file() or not (_model(folder) or (folder / WEIGHTS).is_file()):
        raise InputError(f"{folder} is no encoder: it needs {VOCABULARY}, and model.onnx or a BERT {WEIGHTS}")


def _model(folder: Path) -> Path | None:
    return next((folder / name for name in _MODELS if (folder / name).is_file()), None)


def _load(folder: Path, tokens: int, threads: int) -> tuple[Any, Any]:
    check_folder(folder)
    import onnxruntime
    from tokenizers import Tokenizer

    model = _model(folder)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    try:
        source = str(model) if model is not None else bert_as_onnx(folder)
        session = onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(folder / VOCABULARY))
    except InputError:
        raise
    except Exception as error:  # Both libraries raise types of their own for damaged files.
        raise InputError(f"cannot read the encoder in {folder}: {error}") from error
    tokenizer.enable_truncation(tokens)
    tokenizer.enable_padding()
    return session, tokenizer


def _mask_type(session: Any) -> type[np.signedinteger[Any]]:
    types = {given.name: given.type for given in session.get_inputs()}
    return np.int32 if types.get("attention_mask") == "tensor(int32)" else np.int64


def _name(folder: Path) -> str:
    """What the folder's own configuration calls the model, or the folder's name."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return folder.name
    return str(config.get("_name_or_path") or folder.name)

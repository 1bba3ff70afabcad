"""A sentence encoder small enough for tests."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
tokenizers = pytest.importorskip("tokenizers")

WORDS = ["[PAD]", "[UNK]", "heron", "bird", "engine", "wheel"]
WIDTH, WIDE = 8, 16


def make_tiny_bert(folder: Path) -> Path:
    """Write a tiny BERT with random weights into a folder."""
    random = np.random.default_rng(0)
    layer = "encoder.layer.0"
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (128, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        **{f"{layer}.attention.self.{part}.weight": (WIDTH, WIDTH) for part in ("query", "key", "value")},
        f"{layer}.attention.output.dense.weight": (WIDTH, WIDTH),
        f"{layer}.intermediate.dense.weight": (WIDE, WIDTH),
        f"{layer}.output.dense.weight": (WIDTH, WIDE),
    }
    tensors = {name: random.normal(0, 0.5, shape) for name, shape in shapes.items()}
    for name, tensor in list(tensors.items()):
        if name.startswith(layer):
            tensors[name.replace(".weight", ".bias")] = np.zeros(len(tensor))
    for name in ("embeddings", f"{layer}.attention.output", f"{layer}.output"):
        tensors[f"{name}.LayerNorm.weight"] = np.ones(WIDTH)
        tensors[f"{name}.LayerNorm.bias"] = np.zeros(WIDTH)
    write_safetensors(folder / "model.safetensors", tensors)
    config = {"model_type": "bert", "num_attention_heads": 2, "num_hidden_layers": 1, "_name_or_path": "tiny"}
    (folder / "config.json").write_text(json.dumps(config))
    vocabulary = {word: place for place, word in enumerate(WORDS)}
    model = tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    header, body = {}, b""
    for name, tensor in tensors.items():
        packed = np.asarray(tensor, np.float32).tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensor.shape),
            "data_offsets": [len(body), len(body) + len(packed)],
        }
        body += packed
    told = json.dumps(header).encode()
    path.write_bytes(len(told).to_bytes(8, "little") + told + body)

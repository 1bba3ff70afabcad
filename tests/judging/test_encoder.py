from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from lagotto.errors import InputError
from lagotto.judging.encoder import PACKAGED, Encoder, find_encoder, opening

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
tokenizers = pytest.importorskip("tokenizers")

WORDS = ["[PAD]", "[UNK]", "heron", "bird", "engine", "wheel"]
WIDTH, WIDE = 8, 16


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tiny BERT with random weights."""
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
    write_safetensors(tmp_path / "model.safetensors", tensors)
    config = {"model_type": "bert", "num_attention_heads": 2, "num_hidden_layers": 1, "_name_or_path": "tiny"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    vocabulary = {word: place for place, word in enumerate(WORDS)}
    model = tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


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


def test_vectors_have_length_1_and_tell_texts_apart(folder: Path) -> None:
    encoder = Encoder(folder)
    vectors = encoder.encode(["heron bird", "engine wheel", "heron bird"])
    assert vectors.shape == (3, encoder.width) == (3, WIDTH)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-2)
    assert vectors[0] @ vectors[2] > 0.99 > vectors[0] @ vectors[1]
    assert encoder.name == "tiny"


def test_a_text_has_the_same_vector_in_any_batch(folder: Path) -> None:
    alone = Encoder(folder).encode(["heron"])[0]
    together = Encoder(folder).encode(["heron", "bird engine wheel heron bird"])[0]
    assert alone @ together > 0.98


def test_what_was_encoded_is_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Encoder(folder)
    first = encoder.encode(["heron bird", "engine"])
    monkeypatch.setattr(encoder, "_run", None)
    assert (encoder.encode(["engine", "heron bird"]) == first[::-1]).all()


def test_no_texts(folder: Path) -> None:
    assert Encoder(folder).encode([]).shape == (0, WIDTH)


def test_long_texts_are_cut(folder: Path) -> None:
    assert np.isfinite(Encoder(folder).encode(["bird " * 1000])).all()


def test_an_onnx_file_is_used_as_it_is(folder: Path) -> None:
    from lagotto.judging.bert import bert_as_onnx

    made = Encoder(folder).encode(["heron bird"])
    (folder / "model.onnx").write_bytes(bert_as_onnx(folder))
    (folder / "model.safetensors").unlink()
    assert Encoder(folder).encode(["heron bird"]) == pytest.approx(made)


def test_a_folder_without_a_model_is_refused_in_a_sentence(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(InputError, match="no encoder folder"):
        find_encoder(tmp_path / "missing")
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"needs tokenizer\.json"):
        find_encoder(folder)


def test_another_kind_of_model_is_refused(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(InputError, match="only BERT"):
        Encoder(folder)


def test_a_damaged_model_is_refused(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(InputError, match="cannot read the encoder"):
        Encoder(folder)


def test_what_is_read_of_a_page() -> None:
    assert opening("Heron", "A bird.", "It wades.") == "Heron. A bird. It wades."
    assert len(opening("Heron", "", "x" * 5000)) == 700


@pytest.mark.skipif(importlib.util.find_spec(PACKAGED) is None, reason="the packaged MiniLM is not installed")
def test_the_packaged_model_is_found_and_knows_meaning() -> None:
    encoder = find_encoder()
    assert encoder is not None
    heron, bird, engine = encoder.encode(["The heron wades in water.", "bird species", "diesel engine"])
    assert heron @ bird > heron @ engine + 0.2

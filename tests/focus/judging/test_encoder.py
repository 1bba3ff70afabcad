from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from lagotto.base.errors import InputError
from lagotto.focus.judging.encoder import Encoder, find_encoder, opening
from lagotto.focus.judging.packaged import MODULE
from tests.focus.judging.tiny_bert import WIDTH, make_tiny_bert


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_tiny_bert(tmp_path)


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
    from lagotto.focus.judging.bert import bert_as_onnx

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


@pytest.mark.skipif(importlib.util.find_spec(MODULE) is None, reason="the packaged MiniLM is not installed")
def test_the_packaged_model_is_found_and_knows_meaning() -> None:
    encoder = find_encoder()
    assert encoder is not None
    heron, bird, engine = encoder.encode(["The heron wades in water.", "bird species", "diesel engine"])
    assert heron @ bird > heron @ engine + 0.2

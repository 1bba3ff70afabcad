"""The dashboard's libraries: unchanged, licensed, and all that its page loads comes from this server."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from lagotto.serve.web.sessions import FOLDER

VENDOR = FOLDER / "vendor"
SUMS = {line[66:]: line[:64] for line in (VENDOR / "SHA256SUMS").read_text().splitlines()}
OWN = sorted(path for path in (FOLDER / "app").rglob("*") if path.suffix in (".js", ".css", ".svg"))


def test_the_libraries_are_those_that_were_fetched() -> None:
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.iterdir()
        if path.name != "SHA256SUMS"
    }
    assert found == SUMS


def test_every_library_has_its_licence_beside_it() -> None:
    for name in SUMS:
        stem = name.split(".")[0].removesuffix("-hooks")
        assert f"{stem}.LICENSE" in SUMS, name


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_own_files_load_nothing_from_elsewhere_and_insert_no_html(path: Path) -> None:
    text = path.read_text()
    loaded = re.findall(r"(?:\bimport[^\"']*|\bfrom|importScripts\(|Worker\(|url\()\s*[\"']([^\"']+)", text)
    assert all(place.startswith(("/", "./", "../")) for place in loaded), loaded
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text)


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    page = (FOLDER / "index.html").read_text()
    assert re.findall(r"<script[^>]*>([^<]*)</script>", page) == [""]
    assert "<style" not in page
    assert "style=" not in page

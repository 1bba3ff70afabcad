"""The files of the dashboard, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.serve.web.sessions import StaticFiles


@pytest.fixture
def files(tmp_path: Path) -> StaticFiles:
    folder = tmp_path / "static"
    (folder / "app").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "app" / "main.js").write_text("export {}")
    (folder / "app" / "secret.py").write_text("x")
    (tmp_path / "outside.js").write_text("x")
    (folder / "link.js").symlink_to(tmp_path / "outside.js")
    return StaticFiles(folder)


def test_files_have_their_type_and_a_tag(files: StaticFiles) -> None:
    page, script = files.answer("GET", "/"), files.answer("GET", "/app/main.js")
    assert page is not None
    assert script is not None
    assert (page.body, page.headers["content-type"]) == (b"<!doctype html>", "text/html; charset=utf-8")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    same = files.answer("GET", "/", page.headers["etag"])
    assert same is not None
    assert (same.status, same.body) == (304, b"")
    head = files.answer("HEAD", "/")
    assert head is not None
    assert (head.status, head.body) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        *("/app", "/app/", "/none.js", "/app/secret.py", "/link.js", "/../outside.js", "/app/../index.html"),
        *("//index.html", "/.git/config", "/app/%2e%2e/index.html", "/api/x.js", "/app\\main.js", "/\0.js"),
    ],
)
def test_nothing_else_can_be_reached(files: StaticFiles, path: str) -> None:
    assert files.answer("GET", path) is None


def test_files_are_only_read(files: StaticFiles) -> None:
    assert files.answer("POST", "/") is None

"""Exports as jobs with files."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import httpx
import msgspec
import pytest

from lagotto.harvest.export.cdxj import write_cdxj
from lagotto.harvest.export.formats import FORMATS, Format
from tests.serve.web.test_marks import ended


def exported(client: httpx.Client, **body: Any) -> tuple[dict[str, Any], httpx.Response]:
    """The job of an export, and its file."""
    answer = client.post("/api/crawls/birds/exports", json=body)
    assert answer.status_code == 202, answer.text
    job = ended(client, answer.json())
    return job, client.get(f"/api/jobs/{job['id']}/file")


def test_a_file_is_downloaded(reading: httpx.Client) -> None:
    job, file = exported(reading, format="jsonl", top=5, with_text=True)
    assert (job["state"], job["result"], job["file"]) == ("done", {"rows": 5}, "birds-jsonl.jsonl")
    assert file.headers["content-disposition"].startswith("attachment")
    assert file.headers["content-type"] == FORMATS["jsonl"].media_type
    rows = [msgspec.json.decode(line) for line in file.content.splitlines()]
    assert [len(row["text"]) > 0 for row in rows] == [True] * 5
    assert len(file.content) == job["size"]
    assert reading.delete(f"/api/jobs/{job['id']}").status_code == 204
    assert reading.get(f"/api/jobs/{job['id']}/file").status_code == 404


def test_selected_pages_and_folders(reading: httpx.Client) -> None:
    _, file = exported(reading, format="csv", numbers=[3, 1])
    assert [line.split(",")[0] for line in file.text.splitlines()[1:]] == ["1", "3"]
    job, file = exported(reading, format="markdown", top=2)
    names = zipfile.ZipFile(io.BytesIO(file.content)).namelist()
    assert (job["file"], "index.csv" in names) == ("birds-markdown.zip", True)


def test_exports_that_make_no_sense(reading: httpx.Client) -> None:
    wrong: list[dict[str, Any]] = [
        {"format": "none"},
        {"top": 0},
        {"sort": "x"},
        {"output": "/x"},
        {"numbers": []},
    ]
    for body in wrong:
        assert reading.post("/api/crawls/birds/exports", json=body).status_code in (400, 404, 409), body
    job, file = exported(reading, format="cdxj", html=True)
    assert (job["state"], file.status_code) == ("failed", 404)
    assert "takes no --html" in job["problem"]


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_can_be_downloaded(reading: httpx.Client, name: str) -> None:
    format = FORMATS[name]
    job, file = exported(reading, format=name)
    assert (job["state"], file.status_code) == ("done", 200), job["problem"]
    assert file.headers["content-type"].partition(";")[0] == format.media_type
    assert job["file"] == f"birds-{name}{format.suffix or '.zip'}"
    if format.folder is not None:
        names = zipfile.ZipFile(io.BytesIO(file.content)).namelist()
        assert {name.partition("/")[0] for name in names} == set(format.holds)
        assert job["result"]["rows"] > 0


def test_formats_are_listed(reading: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    added = Format(label="Dummy", about="a test", ending="dum", file=write_cdxj, takes=frozenset({"top"}))
    monkeypatch.setitem(FORMATS, "dummy", added)
    found = {each["name"]: each for each in reading.get("/api/formats").json()}
    assert list(found) == list(FORMATS)
    assert "with_text" in found["jsonl"]["options"]
    assert found["failures"]["options"] == []
    assert [name for name, each in found.items() if each["ending"] == "zip"] == [
        name for name, format in FORMATS.items() if format.folder is not None
    ]
    told = {"name": "dummy", "label": "Dummy", "about": "a test", "ending": "dum"}
    assert found["dummy"] == {**told, "training": False, "options": ["top"]}

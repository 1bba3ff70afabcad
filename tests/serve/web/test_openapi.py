"""The OpenAPI document is made from the handlers, and the server keeps to it: schemathesis tries it out."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.serve.web.conftest import TOKEN, served

ENDLESS = "events$"
"""Path of the answer that never ends, which no tester waits for."""


def tried(address: str, examples: int, folder: Path) -> str:
    """What schemathesis says about a server, empty if it found nothing wrong."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/openapi.json"]
    options = ["--header", f"Authorization: Bearer {TOKEN}", "--exclude-path-regex", ENDLESS]
    options += ["--max-examples", str(examples), "--seed", "1", "--request-timeout", "60"]
    done = subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout[-10_000:] + done.stderr[-2000:]


@pytest.mark.parametrize("examples", [1, pytest.param(50, marks=pytest.mark.long)])
def test_the_server_keeps_to_its_description(
    harvest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, examples: int
) -> None:
    monkeypatch.setenv("LAGOTTO_HOME", str(tmp_path / "home"))
    shutil.copytree(harvest, tmp_path / "crawls")
    with served(tmp_path / "crawls") as address:
        assert tried(address, examples, tmp_path) == ""


def test_every_handler_is_described(reading: httpx.Client) -> None:
    document = reading.get("/api/openapi.json").json()
    operations = [
        operation
        for path in document["paths"].values()
        for method, operation in path.items()
        if method in ("get", "post", "patch", "delete")
    ]
    assert len(operations) > 40
    for operation in operations:
        assert operation["description"], operation["operationId"]
        assert {"400", "401", "404", "409"} <= operation["responses"].keys()
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert document["components"]["schemas"]["Changes"]["properties"]["delay"]["minimum"] == 0


def test_options_name_all_methods(reading: httpx.Client) -> None:
    answer = reading.request("OPTIONS", "/api/crawls/birds/topic")
    assert (answer.status_code, answer.headers["allow"]) == (204, "GET, PATCH, OPTIONS")
    assert reading.request("OPTIONS", "/api/nothing").status_code == 404

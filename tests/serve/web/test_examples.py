"""Example pages by their URLs."""

from __future__ import annotations

from pathlib import Path

import httpx

from lagotto.serve.permissions import Permissions
from tests.serve.web.conftest import client_of, served
from tests.servers import Served


def test_pages_are_fetched_and_private_addresses_refused(
    demo: Served, tmp_path: Path, reading: httpx.Client
) -> None:
    url = demo.web.topics()["birds"].seeds[0]
    with served(tmp_path, permissions=Permissions(proxy=demo.proxy)) as address, client_of(address) as client:
        found, private, wrong = client.post(
            "/api/examples", json={"urls": [url, "http://127.0.0.1/", "no url"]}
        ).json()
    assert found["title"]
    assert len(found["text"]) > 100
    assert found["name"].endswith(".txt")
    assert private["problem"]
    assert wrong["problem"]
    [refused] = reading.post("/api/examples", json={"urls": [demo.proxy]}).json()
    assert (refused["text"], refused["problem"] != "") == ("", True)

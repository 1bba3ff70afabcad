"""Hostile text of every field stays data: JSON that says it is JSON, never HTML."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from lagotto.base.batch import Batch
from lagotto.base.records import Judgement, Outcome, Page
from lagotto.base.urls import SHARDS, checksum, seed_url
from lagotto.crawling.config import Config, encode
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.store import storage_at
from tests.serve.web.conftest import client_of, served

PAGES = 200


@pytest.fixture(scope="module")
def payloads(lagotto_data: Path) -> list[str]:
    folder = lagotto_data / "conformance" / "xss"
    lines = [
        line.strip()
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text("utf-8", "replace").splitlines()
    ]
    return [line for line in dict.fromkeys(lines) if "<" in line][:PAGES]


async def fill(folder: Path, payloads: list[str]) -> None:
    """A crawl whose titles, texts and reasons are payloads."""
    store = await storage_at(folder).create(encode(Config(topic="birds", seeds=["http://a.example/"])))
    await store.acquire(range(SHARDS), "local")
    for number, payload in enumerate(payloads):
        lease = seed_lease(seed_url(f"http://a.example/{number}"))
        await store.commit(Batch(seeds=[lease]))
        page = Page(url=lease.url, title=payload, description=payload, text=f"bird {payload}", language="en")
        page.fingerprint = checksum(payload)
        done = Outcome(lease, 1.0 + number, 200, page=page, judgement=Judgement(0.9, True, {payload: 1.0}))
        await store.commit(Batch(outcomes=[done]))
    await store.close()


@pytest.fixture(scope="module")
def hostile(payloads: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("hostile")
    asyncio.run(fill(folder / "crawl", payloads))
    with served(folder) as address, client_of(address) as client:
        yield client


def test_titles_and_texts_come_back_as_they_were(hostile: httpx.Client, payloads: list[str]) -> None:
    answer = hostile.get("/api/crawls/crawl/pages", params={"sort": "oldest", "limit": 500})
    assert [row["title"] for row in answer.json()["rows"]] == payloads
    for number in range(1, len(payloads) + 1, 10):
        page = hostile.get(f"/api/crawls/crawl/pages/{number}").json()
        assert page["text"] == f"bird {payloads[number - 1]}"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/pages?limit=500",
        "/pages/7",
        "/explain?url=http://a.example/7",
        "/search?q=bird",
        "/hosts",
        "/map",
        "/patterns",
        "/questions",
        "/topic",
        "/links",
        "/commands",
        "/explain?url=<script>",
        "/search?q=<img>",
    ],
)
def test_answers_are_never_html(hostile: httpx.Client, path: str) -> None:
    answer = hostile.get(f"/api/crawls/crawl{path}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    msgspec.json.decode(answer.content)


def test_payloads_as_input_stay_input(hostile: httpx.Client, payloads: list[str]) -> None:
    for payload in payloads[::5]:
        for answer in (
            hostile.get("/api/crawls/crawl/pages", params={"host": payload[:300]}),
            hostile.get("/api/crawls/crawl/search", params={"q": payload[:1000]}),
            hostile.post("/api/topics/preview", json={"query_log": payload, "words": "birds"}),
            hostile.post("/api/crawls", json={"name": payload, "topic": payload, "seeds": [payload]}),
            hostile.get(f"/api/jobs/{httpx.QueryParams({'x': payload})}"),
        ):
            assert answer.status_code in (200, 400, 404, 409), (payload, answer.text)
            assert answer.headers["content-type"] == "application/json"

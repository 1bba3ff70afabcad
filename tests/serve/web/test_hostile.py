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


@pytest.mark.parametrize("path", ["/api/topics/preview", "/api/crawls", "/api/crawls/crawl/marks"])
@pytest.mark.parametrize("body", [b"[" * 200_000, b'{"a":' * 200_000, b'{"words":' + b"[" * 200_000])
def test_nested_json_is_malformed(hostile: httpx.Client, path: str, body: bytes) -> None:
    answer = hostile.post(path, content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/json")


@pytest.mark.parametrize("value", [None, [None], {"a": None}])
def test_an_option_that_is_null_is_refused(hostile: httpx.Client, value: object) -> None:
    body = {"name": "new", "topic": "birds", "seeds": ["http://a.example/"]}
    answer = hostile.post("/api/crawls", json={**body, "strategy_options": {"shift": value}})
    assert answer.status_code in (400, 409), answer.text
    assert "option" in answer.json()["detail"]


@pytest.mark.parametrize("name", ["warc", "crawl.db", "index", "subtopics/saved"])
def test_symbolic_links_in_a_crawl_are_not_followed(payloads: list[str], tmp_path: Path, name: str) -> None:
    asyncio.run(fill(tmp_path / "crawls" / "crawl", payloads[:3]))
    inside, outside = tmp_path / "crawls" / "crawl" / name, tmp_path / "outside"
    if inside.exists():
        inside.rename(outside)
    else:
        outside.mkdir()
        inside.parent.mkdir(exist_ok=True)
    inside.symlink_to(outside)
    before = sorted(outside.iterdir()) if outside.is_dir() else []
    with served(tmp_path / "crawls") as address, client_of(address) as client:
        [summary] = client.get("/api/crawls").json()
        assert (summary["state"], "symbolic link" in summary["problem"]) == ("failed", True)
        for path in ("", "/pages", "/search?q=bird", "/subtopics", "/report"):
            answer = client.get(f"/api/crawls/crawl{path}")
            assert (answer.status_code, "symbolic link" in answer.json()["detail"]) == (409, True)
        assert client.post("/api/crawls/crawl/exports", json={}).status_code == 409
    assert (sorted(outside.iterdir()) if outside.is_dir() else []) == before

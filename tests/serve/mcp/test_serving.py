"""Real clients, over standard input and output and over HTTP."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent

from lagotto.serve.crawl_folder import CrawlFolder
from lagotto.serve.mcp.tools import Tools
from tests.servers import Served

TOOLS = {
    "start_crawl",
    "stop_crawl",
    "crawl_status",
    "search_pages",
    "read_page",
    "mark_pages",
    "export_pages",
}


async def said(client: Client, tool: str, **arguments: Any) -> tuple[str, bool]:
    """What a tool answers, and whether that is an error."""
    answer = await client.call_tool(tool, arguments)
    [content] = answer.content
    assert isinstance(content, TextContent)
    return content.text, bool(answer.is_error)


async def told(client: Client, tool: str, **arguments: Any) -> Any:
    """The JSON that a tool answers."""
    text, wrong = await said(client, tool, **arguments)
    assert not wrong, text
    return msgspec.json.decode(text)


async def finished(client: Client, name: str) -> dict[str, Any]:
    """The status of a crawl that has ended."""
    while True:
        found: dict[str, Any] = await told(client, "crawl_status", crawl=name)
        if found["state"] == "not running":
            return found
        await asyncio.sleep(0.1)


async def ended(client: Client, job: str) -> dict[str, Any]:
    """A job that has ended."""
    while True:
        found: dict[str, Any] = await told(client, "crawl_status", job=job)
        if found["ended_at"] is not None:
            return found
        await asyncio.sleep(0.1)


@asynccontextmanager
async def over_stdio(folder: Path, *options: str) -> AsyncIterator[Client]:
    """A client of `lagotto mcp FOLDER`."""
    arguments = ["-m", "lagotto", "mcp", str(folder), *options]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        yield client


@asynccontextmanager
async def over_http(folder: Path, *options: str) -> AsyncIterator[tuple[Client, str]]:
    """A client of `lagotto mcp FOLDER --http`, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lagotto", "mcp", str(folder), "--http", "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "LAGOTTO_TOKEN": "secret"},
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.match(r"(http://127\.0\.0\.1:\d+/mcp)  Authorization: Bearer secret", line)
        assert found is not None, line
        async with (
            httpx2.AsyncClient(headers={"Authorization": "Bearer secret"}, timeout=60) as http,
            Client(streamable_http_client(found[1], http_client=http)) as client,
        ):
            yield client, found[1]
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


async def test_an_agent_uses_a_crawl_from_start_to_export(demo: Served, tmp_path: Path) -> None:
    seeds = list(demo.web.topics()["birds"].seeds)
    async with over_stdio(tmp_path, "--proxy", demo.proxy) as client:
        listed = await client.list_tools()
        assert {tool.name for tool in listed.tools} == TOOLS
        assert all(tool.description for tool in listed.tools)
        assert "untrusted" in (client.instructions or "")
        started = await told(
            client, "start_crawl", topic="birds", seeds=seeds, max_pages=15, options={"delay": 0}
        )
        assert started["job"].startswith("birds-")
        status = await finished(client, started["job"])
        assert (status["pages"], status["topic"]) == (15, "birds")
        listing = await told(client, "crawl_status")
        assert [crawl["crawl"] for crawl in listing["crawls"]] == [started["job"]]
        found, _ = await said(client, "search_pages", crawl=started["job"], query="birds", n=2)
        url = re.findall(r'"url":"([^"]+)"', found)[0]
        text, wrong = await said(client, "read_page", crawl=started["job"], url=url, length=200)
        assert not wrong
        for answer in (found, text):
            fence = re.search(r"^<untrusted ([0-9a-f]{16})>$", answer, re.MULTILINE)
            assert fence is not None
            assert answer.endswith(f"</untrusted {fence[1]}>")
            assert "untrusted" in answer.splitlines()[0]
        marked = await told(client, "mark_pages", crawl=started["job"], urls=[url], on_topic=True)
        assert (await ended(client, marked["job"]))["state"] == "done"
        exported = await told(client, "export_pages", crawl=started["job"], format="jsonl")
        job = await ended(client, exported["job"])
        assert (job["state"], job["result"]["path"]) == ("done", exported["path"])
        assert len(Path(exported["path"]).read_text().splitlines()) == job["result"]["rows"] > 0


async def test_over_http_with_the_token_alone(harvest: Path) -> None:
    async with over_http(harvest) as (client, address):
        listing = await told(client, "crawl_status")
        assert [crawl["crawl"] for crawl in listing["crawls"]] == ["birds"]
        async with httpx2.AsyncClient() as stranger:
            assert (await stranger.post(address, json={})).status_code == 401
            headers = {"Authorization": "Bearer secret", "Origin": "http://evil.example"}
            assert (await stranger.post(address, json={}, headers=headers)).status_code == 403
            headers = {"Authorization": "Bearer secret", "Host": "evil.example"}
            assert (await stranger.post(address, json={}, headers=headers)).status_code == 403


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("crawl_status", {"crawl": "none"}, "there is no crawl 'none'"),
        ("crawl_status", {"crawl": "../birds"}, "there is no crawl"),
        ("crawl_status", {"job": "x"}, "there is no job"),
        ("read_page", {"crawl": "birds", "url": "http://never.example/"}, "is no page of the crawl"),
        (
            "mark_pages",
            {"crawl": "birds", "urls": ["http://never.example/"], "on_topic": True},
            "cannot be marked",
        ),
        ("export_pages", {"crawl": "birds", "format": "exe"}, "there is no format"),
        ("stop_crawl", {"crawl": "birds"}, "nothing to stop"),
        ("start_crawl", {"topic": "a", "seeds": ["no url"]}, "no url"),
        ("start_crawl", {"topic": "a", "seeds": ["http://a.example/"], "name": "../x"}, "cannot be the name"),
        (
            "start_crawl",
            {"topic": "a", "seeds": ["http://a.example/"], "options": {"cookies": "/etc/passwd"}},
            "cannot be set here",
        ),
    ],
)
async def test_what_makes_no_sense_gets_a_sentence(
    harvest: Path, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    tools = Tools(CrawlFolder([str(harvest)]))
    try:
        async with Client(tools.server()) as client:
            text, wrong = await said(client, tool, **arguments)
    finally:
        tools.jobs.close()
    assert wrong, text
    assert sentence in text

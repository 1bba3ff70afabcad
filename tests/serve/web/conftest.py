"""A server of crawls on loopback, with a crawl of the demo web to show."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

import lagotto
from lagotto.serve.access import Access
from lagotto.serve.crawl_folder import CrawlFolder
from lagotto.serve.permissions import Permissions
from lagotto.serve.running import listen
from lagotto.serve.starting import started_here
from lagotto.serve.web.app import make_app
from tests.servers import Served, demo_served

TOKEN = "a token for the tests"
PAGES = 40
Serve = Callable[..., httpx.Client]


@contextmanager
def served(*locations: Path | str, permissions: Permissions | None = None) -> Iterator[str]:
    """Serve crawls from a thread; gives the address."""
    app = make_app(CrawlFolder(map(str, locations)), Access(TOKEN), permissions)
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(60)
        listening.close()
        for process in started_here:
            process.terminate()
            process.wait(60)


def client_of(address: str) -> httpx.Client:
    """A client that knows the token."""
    return httpx.Client(base_url=address, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)


@pytest.fixture(scope="session")
def demo() -> Iterator[Served]:
    """The demo web behind a proxy."""
    with demo_served() as found:
        yield found


@pytest.fixture(scope="session")
def harvest(demo: Served, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one finished crawl, `birds`; tests must not change it."""
    folder = tmp_path_factory.mktemp("crawls")
    seeds = list(demo.web.topics()["birds"].seeds)
    options: dict[str, Any] = {"max_pages": PAGES, "proxy": demo.proxy, "delay": 0.0, "concurrency": 1}
    lagotto.crawl("birds", seeds=seeds, directory=folder / "birds", **options)
    return folder


@pytest.fixture(scope="session")
def reading(harvest: Path) -> Iterator[httpx.Client]:
    """A server of the finished crawl, for tests that change nothing."""
    with served(harvest) as address, client_of(address) as client:
        yield client


@pytest.fixture
def writing(harvest: Path, tmp_path: Path) -> Iterator[httpx.Client]:
    """A server of a copy of the crawl, for tests that change it."""
    shutil.copytree(harvest, tmp_path / "crawls")
    with served(tmp_path / "crawls") as address, client_of(address) as client:
        yield client

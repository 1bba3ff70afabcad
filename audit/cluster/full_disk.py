"""A database server whose disk is full: the crawl ends with a sentence, and goes on when there is room."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from lagotto.store import with_crawl
from tests.cluster_figures import figures
from tests.conftest import PROJECT
from tests.postgres_server import Postgres
from tests.site import Site, tree_site, tree_url

PAGES = 600
ADDRESSES = [f"127.0.12.{n}" for n in range(1, 25)]
SMALL, LARGE = "100M", "400M"


async def full_disk(folder: Path) -> bool:
    """Crawl into a server on a small disk until that is full, make room, and go on."""
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "none", str(disk)], check=True)
    disk.chmod(0o755)
    try:
        return await _crawl(disk, folder / "full")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


async def _crawl(disk: Path, folder: Path) -> bool:
    server = Postgres(disk / "postgres")
    try:
        async with Site({}, addresses=ADDRESSES) as site:
            site.pages.update(tree_site(PAGES, site.hosts))
            seed = tree_url(0, site.hosts)
            code, said = await _lagotto(
                *("crawl", "heron", "--seed", seed, "--store", server.location, "--crawl", "full"),
                *("-o", str(folder), "--delay", "0.1", "--ip-delay", "0", "--strategy", "bfs"),
                *("--allow-private", "127.0.0.0/8", "--quiet"),
                beside=lambda: _fill(site, disk),
            )
            print(f"no room at the database: exit code {code}: {said}")
            subprocess.run(["mount", "-o", f"remount,size={LARGE}", str(disk)], check=True)
            (disk / "filling").unlink()
            location = with_crawl(server.location, "full")
            again, _ = await _lagotto("resume", location, "--quiet")
            expected = {tree_url(number, site.hosts) for number in range(PAGES)}
            found = figures(site, expected, location, folder)
            print(f"after room was made: exit code {again}: {found.sentence()}", flush=True)
            return code != 2 or "nothing is lost" not in said or again != 0 or found.broken
    finally:
        server.stop()


async def _fill(site: Site, disk: Path) -> None:
    """Use up all room on the disk once some pages were served."""
    while sum(site.fetches().values()) < PAGES // 4:
        await asyncio.sleep(0.05)
    with (disk / "filling").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1 << 16)):
            pass


async def _lagotto(*arguments: str, beside: Callable[[], Awaitable[None]] | None = None) -> tuple[int, str]:
    """Run the command line; returns its exit code and what it said of errors."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lagotto", *arguments), cwd=PROJECT, stderr=asyncio.subprocess.PIPE
    )
    if beside is not None:
        await beside()
    async with asyncio.timeout(300.0):
        _, said = await running.communicate()
    return running.returncode or 0, said.decode().strip()

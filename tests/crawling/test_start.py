"""How a crawl starts: a directory is a whole crawl or none, and nothing of the user's is overwritten."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.crawling.config import load
from lagotto.store.crash_points import START_POINTS
from tests.servers import Served, demo_served
from tests.site import Site


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """The demo web behind a proxy, in a process of its own."""
    with demo_served() as served:
        yield served


def lagotto(*arguments: object, crash_at: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lagotto", *map(str, arguments)]
    environment = {**os.environ, "LAGOTTO_CRASH_AT": crash_at}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def start(
    server: Served, directory: Path, *options: object, crash_at: str = ""
) -> subprocess.CompletedProcess[str]:
    given = [*server.options("truffles"), "--strategy", "bfs", "--max-pages", 3, *options]
    return lagotto("crawl", "truffles", *given, "-o", directory, crash_at=crash_at)


@pytest.mark.parametrize("point", START_POINTS)
def test_a_kill_at_start_leaves_a_whole_crawl_or_none(server: Served, tmp_path: Path, point: str) -> None:
    directory = tmp_path / "c"
    assert start(server, directory, crash_at=point).returncode == -signal.SIGKILL
    resumed = lagotto("resume", directory)
    if resumed.returncode == 2:
        assert "there is no crawl in" in resumed.stderr
        again = start(server, directory)
        assert again.returncode == 0, again.stderr
    else:
        assert resumed.returncode == 0, resumed.stderr
        assert "holds a crawl already" in start(server, directory).stderr
    assert load(directory / "config.toml").max_pages == 3
    assert "3 with status 200" in lagotto("status", directory).stdout
    assert "error" not in lagotto("doctor", directory).stdout


def test_a_configuration_of_the_users_is_left_alone(server: Served, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("of = 'mine'\n")
    said = start(server, tmp_path)
    assert said.returncode == 2
    assert "config.toml is there already and belongs to no crawl" in said.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]
    assert (tmp_path / "config.toml").read_text() == "of = 'mine'\n"


@pytest.mark.parametrize("name", ["commands.jsonl", "lagotto.log", "lagotto.log.2", "warc/mine.warc.gz"])
def test_no_file_of_the_users_is_taken_for_one_of_the_crawl(tmp_path: Path, name: str) -> None:
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    said = lagotto("crawl", "birds", "--seed", "http://127.0.0.1:9/", "-o", tmp_path)
    assert said.returncode == 2
    assert f"{mine} is there already and belongs to no crawl; move it" in said.stderr
    assert mine.read_text() == "mine"
    assert "there is no crawl in" in lagotto("resume", tmp_path).stderr


def test_a_deleted_configuration_is_written_again(server: Served, tmp_path: Path) -> None:
    directory = tmp_path / "c"
    start(server, directory)
    before = (directory / "config.toml").read_bytes()
    (directory / "config.toml").unlink()
    assert lagotto("status", directory, "--outlook").returncode == 0
    assert "config.toml is missing; resuming writes it again" in lagotto("doctor", directory).stdout
    resumed = lagotto("resume", directory)
    assert resumed.returncode == 0
    assert "config.toml was missing and was written again" in resumed.stderr
    assert (directory / "config.toml").read_bytes() == before


def test_a_configuration_that_was_cut_is_not_taken(server: Served, tmp_path: Path) -> None:
    directory = tmp_path / "c"
    start(server, directory, "--host-limit", 1000)
    path = directory / "config.toml"
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"host_limit = 10") + len(b"host_limit = 10")])
    assert load(path).host_limit == 10, "what is left can be read"
    said = lagotto("resume", directory)
    assert said.returncode == 2
    assert "config.toml is not as Lagotto left it; delete it" in said.stderr
    assert "error" in lagotto("doctor", directory).stdout
    path.unlink()
    assert lagotto("resume", directory).returncode == 0
    assert path.read_bytes() == whole


def test_a_configuration_that_the_user_changed_can_be_accepted(server: Served, tmp_path: Path) -> None:
    directory = tmp_path / "c"
    start(server, directory)
    path = directory / "config.toml"
    path.write_text(path.read_text().replace("max_pages = 3", "max_pages = 4"))
    assert lagotto("resume", directory).returncode == 2
    assert lagotto("doctor", directory, "--accept").returncode == 0
    assert lagotto("resume", directory).returncode == 0
    assert "4 with status 200" in lagotto("status", directory).stdout


async def test_a_start_in_vain_leaves_nothing(tmp_path: Path) -> None:
    async with Site({"/": "<html><body>birds</body></html>"}) as site:
        seed = f"http://{site.hosts[0]}/"
    said = lagotto("crawl", "birds", "--seed", seed, "-o", tmp_path / "c")
    assert said.returncode == 2
    assert "--allow-private" in said.stderr
    assert not (tmp_path / "c").exists()


async def test_a_start_in_vain_keeps_what_was_there_before(tmp_path: Path) -> None:
    mine = {"lagotto.log.txt", "notes.txt", "warc"}
    for name in mine - {"warc"}:
        (tmp_path / name).write_text("mine")
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc" / "notes.txt").write_text("mine")
    said = lagotto("crawl", "birds", "--seed", "http://127.0.0.1:9/", "-o", tmp_path)
    assert said.returncode == 2
    assert {path.name for path in tmp_path.iterdir()} == mine
    assert [path.name for path in (tmp_path / "warc").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("files", [1, 7, 8])
def test_a_kill_while_a_start_in_vain_is_removed_leaves_a_whole_crawl_or_none(
    server: Served, tmp_path: Path, files: int
) -> None:
    directory = tmp_path / "c"
    arguments = ("crawl", "birds", "--seed", "http://127.0.0.1:9/", "-o", directory)
    assert lagotto(*arguments, crash_at=f"discard.inside:{files}").returncode == -signal.SIGKILL
    resumed = lagotto("resume", directory)
    if "there is no crawl in" in resumed.stderr:
        started = start(server, directory)
        assert started.returncode == 0, started.stderr
    else:
        assert "ended early" in resumed.stdout
        assert "error" not in lagotto("doctor", directory).stdout

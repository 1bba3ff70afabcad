"""The files in deploy/ are well formed, and their commands are Lagotto's."""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from lagotto.cli import lagotto

DEPLOY = Path(__file__).parents[3] / "deploy"


def understood(arguments: list[str]) -> None:
    """Parse a command line without running it; a wrong option or command raises."""
    name, *rest = arguments
    command = lagotto.get_command(click.Context(lagotto), name)
    assert command is not None, name
    command.make_context(name, rest)


def documents(name: str) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all((DEPLOY / name).read_text()) if document]


def test_compose_starts_a_crawl_and_workers() -> None:
    [compose] = documents("compose.yaml")
    services = compose["services"]
    assert set(services) == {"database", "crawl", "worker"}
    for service in ("crawl", "worker"):
        understood([str(part) for part in services[service]["command"]])
        assert {volume.partition(":")[0] for volume in services[service]["volumes"]} <= set(
            compose["volumes"]
        )
    assert services["worker"]["image"] == services["crawl"]["image"]


def test_the_ray_job_runs_a_crawl_and_closes_its_ports() -> None:
    job, policy = documents("rayjob.yaml")
    _, *arguments = shlex.split(job["spec"]["entrypoint"])
    understood(arguments)
    pods = job["spec"]["rayClusterSpec"]["workerGroupSpecs"][0]["template"]["metadata"]["labels"]
    assert policy["spec"]["podSelector"]["matchLabels"] == pods


def test_the_service_starts_a_worker() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "lagotto-worker@.service")
    program, *arguments = shlex.split(unit["Service"]["ExecStart"])
    assert program.endswith("/lagotto")
    understood(arguments)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_the_service_is_closed() -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20"]
    done = subprocess.run([*command, DEPLOY / "lagotto-worker@.service"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-200:]


def test_a_wrong_option_would_be_noticed() -> None:
    with pytest.raises(click.UsageError):
        understood(["worker", "--shop", "x"])

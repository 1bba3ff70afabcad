"""The other crawlers, in a separate environment that is made on first use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from measuring import PROJECT

ENVIRONMENT = PROJECT / ".bench-venv"
REQUIREMENTS = Path(__file__).with_name("peers.txt")
NAMED = ("Scrapy", "Twisted", "lxml", "parsel", "crawlee", "impit")


def peer_program(name: str) -> Path:
    """A program of the environment, such as `python`."""
    installed = ENVIRONMENT / ".installed"
    wanted = REQUIREMENTS.read_text("utf-8")
    if not installed.exists() or installed.read_text("utf-8") != wanted:
        print(f"Installing the other crawlers into {ENVIRONMENT.name}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        install = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
        subprocess.run([*install, "--quiet", "--requirement", str(REQUIREMENTS)], check=True)
        installed.write_text(wanted, "utf-8")
    return ENVIRONMENT / "bin" / name


def peer_versions() -> dict[str, str]:
    """Versions of the other crawlers."""
    pins = dict(line.split("==") for line in REQUIREMENTS.read_text("utf-8").splitlines() if "==" in line)
    return {name: pins[name] for name in NAMED}

"""Fixtures that every test may use."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# Tests run side by side; threads of the linear algebra that wait for each other would only slow them down.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

PROJECT = Path(__file__).resolve().parent.parent

# A busy machine is no reason to fail, and what passes once shall pass again. To look for what no example has
# shown yet: `HYPOTHESIS_PROFILE=search make test`.
settings.register_profile("lagotto", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "lagotto"))


# A shell starts what runs in its background deaf to Ctrl-C, and so would be all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Crawls of tests judge without an encoder, whether one is installed or not.
os.environ["LAGOTTO_ENCODER"] = "none"


@pytest.fixture(scope="session")
def lagotto_data() -> Path:
    """Folder with frozen webs and conformance cases, which are not part of the repository."""
    folder = Path(os.environ.get("LAGOTTO_DATA") or PROJECT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"no frozen webs in {folder}; set LAGOTTO_DATA to the folder that has them")
    return folder


def pytest_configure(config: pytest.Config) -> None:
    """Warnings are errors, but FastWARC warns of its own old names whenever it is imported."""
    config.addinivalue_line(
        "filterwarnings", "ignore:Use the new Reader and Writer classes:DeprecationWarning"
    )

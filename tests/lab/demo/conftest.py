"""The demo web, made once for all tests."""

from __future__ import annotations

import pytest

from lagotto.lab.demo import DemoWeb


@pytest.fixture(scope="session")
def web() -> DemoWeb:
    return DemoWeb(1)

"""Tests of teaching run the command line, too."""

from __future__ import annotations

from tests.cli.conftest import run

__all__ = ["run"]

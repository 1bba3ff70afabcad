"""Ctrl-C while the command line still loads: no traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

_INTERRUPTED = """
import builtins, os, runpy, signal, sys
real, wanted, sys.argv = builtins.__import__, sys.argv[1], ["lagotto", *sys.argv[2:]]

def imported(name, *given, **named):
    if name == wanted:
        builtins.__import__ = real
        os.kill(os.getpid(), signal.SIGINT)
    return real(name, *given, **named)

builtins.__import__ = imported
runpy.run_module("lagotto", run_name="__main__")
"""


@pytest.mark.parametrize(
    "module",
    [
        "lagotto.cli",
        "click",
        "lagotto.base.errors",
        "lagotto.crawling.secrets",
        "msgspec",
        "lagotto.cli.options",
    ],
)
def test_an_early_interrupt_leaves_no_traceback(module: str) -> None:
    command = [sys.executable, "-c", _INTERRUPTED, module, "strategies"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode in (-2, 130), done
    assert (done.stdout, done.stderr.strip()) in (("", ""), ("", "stopped"))

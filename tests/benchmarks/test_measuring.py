from __future__ import annotations

import subprocess
import sys
import time

from measuring import PROJECT, cpu

BUSY = """
import time
end = time.process_time() + 0.3
while time.process_time() < end:
    pass
print("done", flush=True)
input()
"""


TAKE_MEMORY = """
from measuring import memory
before = memory(), memory(mapped=False)
taken = bytearray(b"x") * (64 << 20)
after = memory(), memory(mapped=False)
print(after[0] - before[0], after[1] - before[1], after[0] - after[1], len(taken) >> 40)
"""


def test_time_of_children_counts_while_they_run_and_after_they_ended() -> None:
    before = cpu()
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        running = cpu().since(before)
        child.communicate(b"\n")
    ended = cpu().since(before)
    assert 0.25 <= running.children <= ended.children
    assert ended.total == ended.own + ended.children


def test_own_time_is_that_of_this_process() -> None:
    before, clock = cpu(), time.process_time()
    while time.process_time() < clock + 0.2:
        pass
    assert cpu().since(before).own >= 0.15


def test_memory_grows_by_what_is_taken() -> None:
    """In a process of its own: a large one may have room left from before."""
    command = [sys.executable, "-c", TAKE_MEMORY]
    done = subprocess.run(command, cwd=PROJECT / "benchmarks", capture_output=True, text=True, check=True)
    grown, grown_unmapped, mapped, _ = map(float, done.stdout.split())
    assert grown > 50
    assert grown_unmapped > 50
    assert mapped > 0

from __future__ import annotations

import subprocess
import sys
import time

from measuring import cpu, memory

BUSY = """
import time
end = time.process_time() + 0.3
while time.process_time() < end:
    pass
print("done", flush=True)
input()
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
    before = memory(), memory(mapped=False)
    taken = bytearray(b"x") * (64 << 20)
    assert memory() - before[0] > 50
    assert memory(mapped=False) - before[1] > 50
    assert len(taken) == 64 << 20
    assert memory(mapped=False) < memory()

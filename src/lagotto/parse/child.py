"""A parser process: reads jobs from its socket, one at a time, until the other end closes.

Started as `python -m lagotto.parse.child FD MEMORY`. A job that needs more memory is answered with a
failure; where a library aborts instead, the process ends with SIGABRT. A job that uses more CPU time than
its limit ends the process as well: the kernel sends SIGPROF, by which the parent recognises a timeout.
Time during which a busy machine runs something else does not count.
"""

from __future__ import annotations

import gc
import resource
import signal
import socket
import sys
from pathlib import Path

from lagotto.base.records import Failure, Reason
from lagotto.parse.job import HEADER, NO_MEMORY, Job, parse_job, read_job, ready_frame, result_frame

JOBS_PER_COLLECTION = 1000


def main(fd: int, memory: int) -> None:
    """Serve jobs until the socket is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _limit_memory(memory)
    # Parsing makes hardly any reference cycles, so frequent garbage collection would be wasted time.
    gc.freeze()
    gc.disable()
    with socket.socket(fileno=fd) as connection, connection.makefile("rb") as stream:
        connection.sendall(ready_frame())
        jobs = 0
        while header := stream.read(HEADER.size):
            length, _ = HEADER.unpack(header)
            job = read_job(stream.read(length))
            signal.setitimer(signal.ITIMER_PROF, job.seconds)
            answer = _answer(job)
            signal.setitimer(signal.ITIMER_PROF, 0)
            connection.sendall(answer)
            jobs += 1
            if jobs % JOBS_PER_COLLECTION == 0:
                gc.collect()


def _answer(job: Job) -> bytearray:
    try:
        return result_frame(parse_job(job))
    except MemoryError:
        return result_frame(Failure(Reason.PARSE_MEMORY, NO_MEMORY))


def _limit_memory(memory: int) -> None:
    """Let the address space grow by at most this many bytes."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        pages = int(statm.read_text().split()[0])
        limit = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

"""What goes over the socket between the pool and its children: frames of msgpack, length first."""

from __future__ import annotations

import struct

import msgspec

from lagotto.parse.job import Job
from lagotto.records import Failure, Page

HEADER = struct.Struct("<IB")
"""Length of what follows, and its kind."""
READY, JOB, PAGE, FAILURE = range(4)


_encode = msgspec.msgpack.Encoder().encode
_decode_job = msgspec.msgpack.Decoder(Job).decode
_decode_page = msgspec.msgpack.Decoder(Page).decode
_decode_failure = msgspec.msgpack.Decoder(Failure).decode


def ready_frame() -> bytes:
    """What a child sends once it can take jobs."""
    return HEADER.pack(0, READY)


def job_frame(job: Job) -> bytes:
    """A job on its way to a child."""
    payload = _encode(job)
    return HEADER.pack(len(payload), JOB) + payload


def result_frame(result: Page | Failure) -> bytes:
    """A result on its way back."""
    payload = _encode(result)
    return HEADER.pack(len(payload), PAGE if isinstance(result, Page) else FAILURE) + payload


def read_job(payload: bytes) -> Job:
    """The job in a frame."""
    return _decode_job(payload)


def read_result(kind: int, payload: memoryview) -> Page | Failure:
    """The result in a frame."""
    return _decode_page(payload) if kind == PAGE else _decode_failure(payload)

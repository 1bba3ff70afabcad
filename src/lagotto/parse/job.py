"""A parse job: the body of one page and how to read it."""

from __future__ import annotations

import struct

import msgspec
from msgspec import Struct

from lagotto.base.records import Failure, Fetched, Page, Reason
from lagotto.parse.page import parse_page
from lagotto.parse.pdf import UnreadablePdf


class Job(Struct, array_like=True):
    """The arguments of `parse_page`, and a limit."""

    url: str
    body: bytes
    content_type: str
    declared_type: str
    phrases: tuple[str, ...] = ()
    language: str = "en"
    seconds: float = 0.0
    """CPU time that a parser process may spend on it; 0: no limit."""
    link_words: bool = True
    """Whether links come with what they were hashed from."""


def job_for(
    fetched: Fetched,
    phrases: tuple[str, ...],
    language: str,
    seconds: float = 0.0,
    *,
    link_words: bool = True,
) -> Job:
    """Make the job for a fetched answer."""
    # A header that is not valid Unicode cannot be encoded, and its odd bytes say nothing about the body.
    header = fetched.header("content-type").encode("utf-8", "replace").decode()
    declared = header or fetched.declared_type
    kind = fetched.content_type or declared or "text/html"
    return Job(fetched.url, fetched.body, kind, declared, phrases, language, seconds, link_words)


def parse_job(job: Job) -> Page | Failure:
    """Parse a page; an error becomes a `Failure`, except `MemoryError`, which is raised."""
    try:
        return parse_page(
            job.url,
            job.body,
            job.content_type,
            job.declared_type,
            job.phrases,
            job.language,
            link_words=job.link_words,
        )
    except MemoryError:
        raise
    except UnreadablePdf as error:
        return Failure(error.reason, error.detail)
    except Exception as error:
        # A bug that one page triggers must not stop the others.
        return Failure(Reason.PARSE_CRASH, f"{type(error).__name__}: {error}"[:200])


HEADER = struct.Struct("<IB")
"""Length of what follows, and its kind."""
READY, JOB, PAGE, FAILURE = range(4)


NO_MEMORY = "the page needs more memory than a parser may have"

_encoder = msgspec.msgpack.Encoder()
_decode_job = msgspec.msgpack.Decoder(Job).decode
_decode_page = msgspec.msgpack.Decoder(Page).decode
_decode_failure = msgspec.msgpack.Decoder(Failure).decode


def ready_frame() -> bytes:
    """What a child sends once it can take jobs."""
    return HEADER.pack(0, READY)


def job_frame(job: Job) -> bytearray:
    """A job on its way to a child."""
    return _frame(job, JOB)


def result_frame(result: Page | Failure) -> bytearray:
    """A result on its way back."""
    return _frame(result, PAGE if isinstance(result, Page) else FAILURE)


def _frame(content: Job | Page | Failure, kind: int) -> bytearray:
    """Header and content in one buffer, as a second copy of a large body would take memory."""
    frame = bytearray(HEADER.size)
    _encoder.encode_into(content, frame, HEADER.size)
    HEADER.pack_into(frame, 0, len(frame) - HEADER.size, kind)
    return frame


def read_job(payload: bytes) -> Job:
    """The job in a frame."""
    return _decode_job(payload)


def read_result(kind: int, payload: memoryview) -> Page | Failure:
    """The result in a frame."""
    return _decode_page(payload) if kind == PAGE else _decode_failure(payload)

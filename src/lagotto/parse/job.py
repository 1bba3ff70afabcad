"""A body to be parsed, wherever that happens."""

from __future__ import annotations

from msgspec import Struct

from lagotto.parse.page import parse_page
from lagotto.records import Failure, Fetched, Page, Reason


class Job(Struct, array_like=True):
    """The arguments of `parse_page`."""

    url: str
    body: bytes
    content_type: str
    declared_type: str
    phrases: tuple[str, ...]


def job_for(fetched: Fetched, phrases: tuple[str, ...]) -> Job:
    """The job that a fetched answer makes."""
    declared = fetched.header("content-type") or fetched.declared_type
    return Job(fetched.url, fetched.body, fetched.content_type or declared or "text/html", declared, phrases)


def parse_job(job: Job) -> Page | Failure:
    """Parse, or say what went wrong; only lack of memory is left to the caller."""
    try:
        return parse_page(job.url, job.body, job.content_type, job.declared_type, job.phrases)
    except MemoryError:
        raise
    except Exception as error:
        # Whatever a page on the web may provoke must end that page only.
        return Failure(Reason.PARSE_CRASH, f"{type(error).__name__}: {error}"[:200])

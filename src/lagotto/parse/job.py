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
    phrases: tuple[str, ...] = ()
    language: str = "en"


def job_for(fetched: Fetched, phrases: tuple[str, ...], language: str) -> Job:
    """The job that a fetched answer makes."""
    # What is no Unicode in a header says nothing about the body, and cannot be sent on.
    header = fetched.header("content-type").encode("utf-8", "replace").decode()
    declared = header or fetched.declared_type
    kind = fetched.content_type or declared or "text/html"
    return Job(fetched.url, fetched.body, kind, declared, phrases, language)


def parse_job(job: Job) -> Page | Failure:
    """Parse, or say what went wrong; only lack of memory is left to the caller."""
    try:
        return parse_page(job.url, job.body, job.content_type, job.declared_type, job.phrases, job.language)
    except MemoryError:
        raise
    except Exception as error:
        # Whatever a page on the web may provoke must end that page only.
        return Failure(Reason.PARSE_CRASH, f"{type(error).__name__}: {error}"[:200])

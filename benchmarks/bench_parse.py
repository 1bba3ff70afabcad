"""CPU time of parsing pages of the frozen webs in one process, as a crawl with `scent` has them parsed.

    python benchmarks/bench_parse.py [PASSES]

The first pass is cold, later ones find most words and URLs remembered. To compare two revisions, run it with
`PYTHONPATH=OTHER/src`, in turns, since other work on the machine changes times by more than most changes do.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from webs import HostileWeb, web_path

from lagotto.lab.webs.web import FrozenWeb, WebPage
from lagotto.parse.job import HEADER, Job, parse_job, read_result, result_frame

PAGES = 1500
HOSTILE = 0.05
WEBS = {"debdocs": HOSTILE, "wikischools": 0.0, "webkb": 0.0}
"""Frozen web -> share of its pages that are made hostile."""


class Pass(NamedTuple):
    """Microseconds a page, and bytes of a message."""

    parse: float
    encode: float
    decode: float
    size: float


def main() -> None:
    """Parse the same pages several times."""
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    gc.disable()  # as in a parser process
    print("µs a page    cold   warm  encode  decode   bytes")
    for name, hostile in WEBS.items():
        with FrozenWeb.open(web_path(name)) as web:
            served = HostileWeb(web, hostile)
            pages = [page for url in islice(web.urls(), PAGES) if (page := served.page(url)) is not None]
        first, *later = [parse_all(pages) for _ in range(max(2, passes))]
        warm = min(later)
        print(
            f"{name:12}{first.parse:5.0f}{warm.parse:7.0f}{warm.encode:8.0f}{warm.decode:8.0f}{warm.size:8.0f}"
        )


def parse_all(pages: Sequence[WebPage]) -> Pass:
    """One pass over all pages."""
    parse = encode = decode = size = 0.0
    for page in pages:
        job = Job(page.url, page.body, page.content_type, page.content_type, link_words=False)
        start = time.thread_time()
        result = parse_job(job)
        parsed = time.thread_time()
        frame = result_frame(result)
        encoded = time.thread_time()
        read_result(HEADER.unpack_from(frame)[1], memoryview(frame)[HEADER.size :])
        decode += time.thread_time() - encoded
        encode += encoded - parsed
        parse += parsed - start
        size += len(frame)
    scale = 1e6 / len(pages)
    return Pass(parse * scale, encode * scale, decode * scale, size / len(pages))


if __name__ == "__main__":
    main()

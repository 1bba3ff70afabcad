"""The answers of a served web: a page, a redirect, robots.txt, or 404."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import xxhash
from isal import isal_zlib

from lagotto.base.errors import InputError
from lagotto.lab.webs.spelling import plain_links
from lagotto.lab.webs.web import Web, input_errors


class Asked(NamedTuple):
    """One request that a server got."""

    time: float
    """Monotonic time of arrival, comparable between processes of one machine."""
    host: str
    path: str
    status: int

    @property
    def url(self) -> str:
        """What was asked for."""
        return f"http://{self.host}{self.path}"


class RequestLog:
    """Append-only log: kept in memory, or in a file that outlives a killed process.

    Without a file and with `keep` false nothing is logged, for a server that runs for long.
    """

    def __init__(self, path: str | Path | None = None, *, keep: bool = True) -> None:
        self.path = None if path is None else Path(path)
        self.keep = keep
        self._entries: list[Asked] = []
        self._file = None
        if self.path is not None:
            with input_errors(f"cannot write the request log {self.path}"):
                # Unbuffered, so that every answered request is in the file if the server is killed.
                self._file = self.path.open("ab", buffering=0)

    def add(self, host: str, path: str, status: int) -> None:
        """Log a request."""
        now = time.monotonic()
        if self._file is not None:
            self._file.write(f"{now:.6f}\t{host}\t{path}\t{status}\n".encode())
        elif self.keep:
            self._entries.append(Asked(now, host, path, status))

    def __iter__(self) -> Iterator[Asked]:
        return iter(self._entries) if self.path is None else read_log(self.path)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()


def read_log(path: str | Path) -> Iterator[Asked]:
    """Read a log file; an incomplete last line is ignored."""
    with Path(path).open(encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                moment, host, asked_path, status = line[:-1].split("\t")
                yield Asked(float(moment), host, asked_path, int(status))


GZIP_LEVEL = 1
GZIP_WBITS = 31
SMALLEST_GZIP = 200
"""Shorter bodies are not compressed."""
PLAIN = "text/plain; charset=utf-8"


class Answer(NamedTuple):
    """An HTTP answer."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Answers:
    """Answers requests for the URLs of a web, with a share of errors on demand."""

    def __init__(
        self,
        web: Web,
        *,
        robots: str | Mapping[str, str] | None = None,
        error_rate: float = 0.0,
        error_status: int = 503,
        seed: int = 0,
        gzip: bool = True,
    ) -> None:
        if not 0.0 <= error_rate <= 1.0:
            raise InputError(f"the error rate must lie between 0 and 1, not at {error_rate}")
        if error_status not in (status.value for status in HTTPStatus):
            raise InputError(f"{error_status} is not an HTTP status; take one such as 500 or 503")
        self.web = web
        self.robots = robots
        self.error_rate = error_rate
        self.error_status = error_status
        self.seed = seed
        self.gzip = gzip
        self._asked: Counter[str] = Counter()

    def answer(self, host: str, path: str, accepts_gzip: bool) -> Answer:
        """The answer to a GET of `path` (with its query) on `host`."""
        if path == "/robots.txt":
            return self._robots_answer(host)
        url = f"http://{host}{path}"
        if self.error_rate and self._fails(url):
            return text_answer(self.error_status, "an error, as ordered")
        page = self.web.page(url)
        if page is not None:
            return self._page_answer(plain_links(page.body), page.content_type, accepts_gzip)
        target = self.web.redirect(url)
        if target is not None:
            location = "http:" + target.removeprefix("https:").removeprefix("http:")
            return Answer(301, (("Location", location),), b"")
        return text_answer(404, "this web has no such page; use its server as a proxy: curl -x SERVER URL")

    def _page_answer(self, body: bytes, content_type: str, accepts_gzip: bool) -> Answer:
        headers = (("Content-Type", content_type), ("Vary", "Accept-Encoding"))
        if not (self.gzip and accepts_gzip) or len(body) < SMALLEST_GZIP:
            return Answer(200, headers, body)
        packed = isal_zlib.compress(body, GZIP_LEVEL, GZIP_WBITS)
        return Answer(200, (*headers, ("Content-Encoding", "gzip")), packed)

    def _robots_answer(self, host: str) -> Answer:
        if isinstance(self.robots, str):
            text: str | None = self.robots
        elif self.robots is not None:
            text = self.robots.get(host)
        else:
            text = self.web.robots(host)
        return text_answer(404, "no robots.txt") if text is None else text_answer(200, text)

    def _fails(self, url: str) -> bool:
        """Whether this request fails; depends on seed, URL and number of attempts, not on order."""
        self._asked[url] += 1
        drawn = xxhash.xxh3_64_intdigest(f"{self.seed} {self._asked[url]} {url}".encode())
        return bool(drawn < self.error_rate * 2**64)


def text_answer(status: int, text: str) -> Answer:
    """A short plain-text answer."""
    return Answer(status, (("Content-Type", PLAIN),), text.encode())

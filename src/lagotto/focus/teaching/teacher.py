"""A language model behind an OpenAI-compatible endpoint, asked about single pages."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import aiohttp
import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError, LagottoError
from lagotto.base.urls import canonical
from lagotto.focus.teaching.question import PageText, messages, read_answer

KEY_VARIABLE = "LAGOTTO_TEACHER_KEY"
"""Environment variable that holds the endpoint's key; no key is ever stored."""
TIMEOUT = 60.0
TRIES = 3
"""Requests for one question when the endpoint is busy or broken."""
LONGEST_WAIT = 60.0
"""Seconds that a rate limit may ask us to wait before the question is given up."""
FAILURES_IN_A_ROW = 5
"""Questions without an answer after which the teacher is not asked any more."""
MAX_BYTES = 1_000_000
ANSWER_TOKENS = 200
_BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class TeacherFailed(LagottoError):
    """The endpoint cannot be used at all: wrong address, key or model."""


class Verdict(Struct, frozen=True):
    """What a teacher said of a page."""

    on: bool
    quote: str


class TeacherReport(Struct):
    """What asking has cost, and brought."""

    calls: int = 0
    """Requests sent."""
    answered: int = 0
    unusable: int = 0
    """Answers that were no valid JSON, or whose quote is not on the page."""
    failed: int = 0
    """Questions that got no answer."""
    prompt_tokens: int = 0
    answer_tokens: int = 0
    ended: str = ""
    """Why the teacher is not asked any more, if so."""

    def sentence(self) -> str:
        """The report for a person."""
        said = (
            f"the teacher answered {self.answered} questions in {self.calls} calls "
            f"({self.prompt_tokens} + {self.answer_tokens} tokens)"
        )
        if self.unusable or self.failed:
            said += f"; {self.unusable} answers were unusable, {self.failed} questions got none"
        return f"{said}; {self.ended}" if self.ended else said


class Teacher:
    """Asks a model whether pages are on a topic, within a number of calls."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        calls: int = 50,
        key: str | None = None,
        timeout: float = TIMEOUT,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`key` is taken from the environment variable LAGOTTO_TEACHER_KEY unless it is given."""
        self.url = _chat_url(url)
        if not model:
            raise InputError("a teacher needs a model: name it with --teacher-model NAME")
        if calls < 1:
            raise InputError("--teacher-calls must be at least 1")
        self.model = model
        self.calls = calls
        self.report = TeacherReport()
        self._key = os.environ.get(KEY_VARIABLE, "") if key is None else key
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._sleep = sleep
        self._session: aiohttp.ClientSession | None = None
        self._failures = 0
        self._json_mode = True

    @property
    def name(self) -> str:
        """Who a mark of this teacher is from."""
        return f"teacher {self.model}"

    @property
    def asking(self) -> bool:
        """Whether another question may be asked."""
        return not self.report.ended and self.report.calls < self.calls

    async def __aenter__(self) -> Self:
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        self._session = aiohttp.ClientSession(headers=headers, timeout=self._timeout)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def ask(self, topic: str, page: PageText) -> Verdict | None:
        """Ask about one page; None if there is no usable answer.

        Busy and broken endpoints are asked again a few times. One that refuses us, or that gives no
        answer several times in a row, is not asked any more: `report.ended` says why.
        """
        try:
            content = await self._content(messages(topic, page))
        except TeacherFailed as error:
            self.report.failed += 1
            self.report.ended = str(error)
            return None
        if content is None:
            self.report.failed += 1
            self._failures += 1
            if self._failures >= FAILURES_IN_A_ROW:
                self.report.ended = f"{self._failures} questions in a row got no answer, so it is left alone"
            return None
        self._failures = 0
        answer = read_answer(content, page)
        if answer is None:
            self.report.unusable += 1
            return None
        self.report.answered += 1
        return Verdict(answer.on_topic, answer.quote)

    async def _content(self, chat: list[dict[str, str]]) -> str | None:
        """Text of the model's answer; None if there is none after a few tries."""
        for attempt in range(TRIES):
            if self.report.calls >= self.calls:
                return None
            self.report.calls += 1
            try:
                status, wait, body = await self._post(chat)
            except (aiohttp.ClientError, TimeoutError, OSError):
                status, wait, body = 503, 0.0, b""
            if status == 200:
                return self._read(body)
            if status == 400 and self._json_mode:
                self._json_mode = False  # Some endpoints know no response_format.
                continue
            if status not in _BUSY:
                raise TeacherFailed(_refusal(status, self.url, self.model))
            wait = max(wait, float(2**attempt))
            if wait > LONGEST_WAIT or attempt == TRIES - 1:
                return None
            await self._sleep(wait)
        return None

    async def _post(self, chat: list[dict[str, str]]) -> tuple[int, float, bytes]:
        """Send one request: status, seconds we are asked to wait, body."""
        if self._session is None:
            raise RuntimeError("a teacher must be opened first: async with Teacher(...)")
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": chat,
            "temperature": 0,
            "max_tokens": ANSWER_TOKENS,
        }
        if self._json_mode:
            asked["response_format"] = {"type": "json_object"}
        async with self._session.post(self.url, json=asked, allow_redirects=False) as response:
            body = await _at_most(response.content, MAX_BYTES)
            return response.status, _seconds(response.headers.get("Retry-After", "")), body

    def _read(self, body: bytes) -> str | None:
        """The answer's text, with its tokens counted; None if the body is not as the protocol says."""
        try:
            said = msgspec.json.decode(body, type=_Completion)
        except (msgspec.DecodeError, RecursionError):
            return None
        self.report.prompt_tokens += said.usage.prompt_tokens
        self.report.answer_tokens += said.usage.completion_tokens
        return said.choices[0].message.content if said.choices else None


class _Message(Struct):
    content: str | None = None


class _Choice(Struct):
    message: _Message


class _Usage(Struct, frozen=True):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(Struct):
    """What is read of an endpoint's answer."""

    choices: list[_Choice]
    usage: _Usage = _Usage()


async def _at_most(stream: aiohttp.StreamReader, limit: int) -> bytes:
    """The first bytes of a body, up to a limit."""
    pieces, size = [], 0
    async for piece in stream.iter_any():
        pieces.append(piece)
        size += len(piece)
        if size >= limit:
            break
    return b"".join(pieces)[:limit]


def _seconds(retry_after: str) -> float:
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        return 0.0


def _refusal(status: int, url: str, model: str) -> str:
    if status in (401, 403):
        return f"the teacher at {url} refuses the key (status {status}); set {KEY_VARIABLE}"
    if status == 404:
        return f"the teacher at {url} does not know the address or the model '{model}' (status 404)"
    return f"the teacher at {url} answers with status {status}; check --teacher and --teacher-model"


def _chat_url(url: str) -> str:
    """Address of the chat interface, whether the user gave it or just the endpoint."""
    address = canonical(url.strip())
    if address is None:
        raise InputError(f"'{url}' is no teacher's address; write it like https://api.example.org/v1")
    address = address.split("?", 1)[0].rstrip("/")
    return address if address.endswith("/chat/completions") else f"{address}/chat/completions"

"""A real HTTP server that speaks the chat protocol, with models of every temper behind it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

Model = Callable[[dict[str, Any]], "str | web.StreamResponse | Awaitable[web.StreamResponse]"]
"""Takes the request's JSON; returns the answer's text, or a whole response."""


def user_text(asked: dict[str, Any]) -> str:
    """What the user message of a request says."""
    text: str = asked["messages"][-1]["content"]
    return text


def verdict(on: bool, quote: str) -> str:
    """An answer as the model was asked to write it."""
    return json.dumps({"on_topic": on, "quote": quote})


class ModelServer:
    """Answers each request by the model; `asked` and `keys` keep what came in."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.url = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.asked.append(asked)
        self.keys.append(request.headers.get("Authorization", ""))
        said = self.model(asked)
        if isinstance(said, str):
            return web.json_response(
                {
                    "choices": [{"message": {"role": "assistant", "content": said}}],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 7},
                }
            )
        return said if isinstance(said, web.StreamResponse) else await said


@asynccontextmanager
async def serving(model: Model) -> AsyncIterator[ModelServer]:
    """Serve a model on a free port of the loopback address."""
    server = ModelServer(model)
    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        host, port = runner.addresses[0][:2]
        server.url = f"http://{host}:{port}/v1"
        yield server
    finally:
        await runner.cleanup()

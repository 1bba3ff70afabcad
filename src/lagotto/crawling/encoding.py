"""Encoding anchors and pages as they come in, off the event loop.

The strategy asks for the anchors at once, and for the pages when it judges all of them again.
"""

from __future__ import annotations

import asyncio

from lagotto.base.protocols import Parser
from lagotto.base.records import Failure, Fetched, Page
from lagotto.focus.judging.encoder import Encoder, anchor_text, page_text


class EncodingParser:
    """A parser whose pages the encoder has seen already, so that a strategy gets their vectors at once.

    While one batch is encoded in a thread, further pages wait; the next batch takes all of them.
    """

    def __init__(self, parser: Parser, encoder: Encoder) -> None:
        self._parser = parser
        self._encoder = encoder
        self._waiting: list[str] = []
        self._turn = asyncio.Lock()

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Parse the body and have its texts encoded."""
        page = await self._parser.parse(fetched)
        if isinstance(page, Page):
            self._waiting += [page_text(page), *map(anchor_text, page.links)]
            async with self._turn:
                texts, self._waiting = self._waiting, []
                if texts:
                    await asyncio.to_thread(self._encoder.encode, texts)
        return page

    async def close(self) -> None:
        """End the worker processes of the parser."""
        await self._parser.close()

"""A connection between a worker and the database that can be cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


class Wire:
    """Leads from TCP to the server's socket. When it is cut, nothing passes and nothing is closed."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the server's socket."""
        self._socket = str(next(folder.glob(".s.PGSQL.*[0-9]")))
        self.cut = False

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[str]:
        """Location of the database at the other end."""
        server = await asyncio.start_server(self._join, "127.0.0.1")
        async with server:
            yield f"postgresql://postgres@127.0.0.1:{server.sockets[0].getsockname()[1]}/postgres"

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer), return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                while self.cut:
                    await asyncio.sleep(0.05)
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()

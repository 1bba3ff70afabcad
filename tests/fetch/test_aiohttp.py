"""What Lagotto takes from aiohttp beyond its documented interface: the meter between transport and parser.

`pyproject.toml` lets no newer aiohttp in than the one that is tried here. Before its bound is raised, these
tests and all others of this folder must pass with the new version.
"""

from __future__ import annotations

import asyncio
import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import aiohttp
import pytest
from aiohttp import ClientRequest, ClientSession, http_exceptions
from aiohttp.client_proto import ResponseHandler
from packaging.requirements import Requirement

from tests.fetch.conftest import MakeFetcher
from tests.fetch.servers import RawServer, reply

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.mark.parametrize(
    ("owner", "name", "parameters"),
    [
        (ClientRequest, "send", ["self", "conn"]),
        (ResponseHandler, "data_received", ["self", "data"]),
        (ResponseHandler, "eof_received", ["self"]),
        (ResponseHandler, "connection_lost", ["self", "exc"]),
        (ResponseHandler, "pause_writing", ["self"]),
        (ResponseHandler, "resume_writing", ["self"]),
        (ResponseHandler, "exception", ["self"]),
    ],
)
def test_methods_that_the_meter_wraps(owner: type, name: str, parameters: list[str]) -> None:
    method = getattr(owner, name, None)
    assert method is not None, (
        f"aiohttp {aiohttp.__version__} has no {owner.__name__}.{name}; see exchange.py"
    )
    found = list(inspect.signature(method).parameters)
    assert found == parameters, f"{owner.__name__}.{name} takes other arguments; see exchange.py"


def test_errors_of_the_parser_that_are_told_apart() -> None:
    assert issubclass(http_exceptions.LineTooLong, http_exceptions.HttpProcessingError)
    assert http_exceptions.HttpProcessingError(message="Too many headers").message == "Too many headers"


@pytest.mark.parametrize("name", ["request_class", "max_line_size", "max_field_size", "max_headers"])
def test_a_session_takes(name: str) -> None:
    assert name in inspect.signature(ClientSession).parameters


async def test_a_connection_has_its_handler_for_a_protocol(
    make_fetcher: MakeFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The meter takes the place of the transport's protocol and passes on what comes to it."""
    protocols: list[asyncio.BaseProtocol] = []
    send = ClientRequest.send

    async def watched(self: ClientRequest, conn: aiohttp.connector.Connection) -> aiohttp.ClientResponse:
        assert conn.transport is not None
        protocols.append(conn.transport.get_protocol())
        return await send(self, conn)

    monkeypatch.setattr(ClientRequest, "send", watched)
    async with RawServer({"/": reply()}) as server:
        await make_fetcher().fetch(server.url("/"))
    (meter,) = protocols
    assert isinstance(getattr(meter, "inner", None), ResponseHandler)


def test_no_newer_version_is_let_in_than_the_one_that_is_tried() -> None:
    dependencies = tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]
    bounds = next(Requirement(one) for one in dependencies if one.startswith("aiohttp")).specifier
    major, minor, *_ = map(int, version("aiohttp").split("."))
    assert bounds.contains(version("aiohttp"))
    assert not bounds.contains(f"{major}.{minor + 1}.0")

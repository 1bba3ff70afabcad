"""Reasons: from the error and how far the exchange had come, and all of them explained to the user."""

from __future__ import annotations

import errno
import re
import ssl

import pytest
from aiohttp import ClientConnectorDNSError, ClientOSError, ClientPayloadError, InvalidURL
from aiohttp.client_reqrep import ConnectionKey

from lagotto.fetch.dns import AddressRefused, NameNotFound
from lagotto.fetch.exchange import Exchange, Timeouts
from lagotto.fetch.failures import failure, failure_of
from lagotto.records import Reason
from tests.conftest import PROJECT

KEY = ConnectionKey("a.org", 80, False, True, None, None, None)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ClientConnectorDNSError(KEY, NameNotFound("no address")), Reason.DNS),
        (ClientConnectorDNSError(KEY, AddressRefused()), Reason.ADDRESS),
        (ClientOSError(errno.EPIPE, "broken pipe"), Reason.CONNECT),
        (ConnectionResetError("gone"), Reason.RESET),
        (ssl.SSLError("bad record"), Reason.TLS),
        (OSError(errno.EMFILE, "too many open files"), Reason.CONNECT),
        (ClientPayloadError("nothing came"), Reason.RESET),
        (InvalidURL("http://"), Reason.SCHEME),
        (TimeoutError(), Reason.TIMEOUT_HEADERS),
    ],
)
async def test_errors_have_reasons(error: Exception, reason: Reason) -> None:
    assert failure_of(error, Exchange(Timeouts())).reason is reason


async def test_behind_a_proxy_the_only_name_is_the_proxys() -> None:
    error = ClientConnectorDNSError(KEY, NameNotFound("no address"))
    assert failure_of(error, Exchange(Timeouts()), proxied=True).reason is Reason.PROXY


async def test_what_stopped_the_exchange_comes_first() -> None:
    exchange = Exchange(Timeouts())
    async with exchange.deadline:
        exchange.sent()
        exchange.stop(Reason.TOO_LARGE, "much")
        exchange.stop(Reason.BAD_HTTP, "later")
        found = failure_of(TimeoutError(), exchange)
        exchange.answered(0)
    assert (found.reason, found.detail) == (Reason.TOO_LARGE, "much")
    assert found.sent_at == exchange.sent_at > 0


def test_details_are_one_short_printable_line() -> None:
    found = failure(Reason.BAD_HTTP, "a\r\nb\x1b[31m" + "x" * 1000, 0.0)
    assert found.detail.isprintable()
    assert len(found.detail) == 200


def test_every_reason_of_fetching_is_documented_with_whether_it_is_tried_again() -> None:
    page = (PROJECT / "docs" / "fetching.md").read_text()
    rows = dict(re.findall(r"^\| `([a-z-]+)` \|.*\| (yes|no) \|$", page, re.MULTILINE))
    for reason in Reason:
        if reason.value in rows:
            assert reason.retry == (rows[reason.value] == "yes"), reason
    fetching = list(Reason)[: list(Reason).index(Reason.HTTP_STATUS)]
    assert {reason.value for reason in fetching} <= rows.keys()

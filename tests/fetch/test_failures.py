"""Reasons: from the error and how far the exchange had come."""

from __future__ import annotations

import errno
import ssl

import pytest
from aiohttp import (
    ClientConnectorCertificateError,
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientConnectorSSLError,
    ClientOSError,
    ClientPayloadError,
    InvalidURL,
)
from aiohttp.client_reqrep import ConnectionKey

from lagotto.base.records import Reason
from lagotto.fetch.dns import AddressRefused, NameNotFound
from lagotto.fetch.exchange import Exchange, Timeouts
from lagotto.fetch.failures import failure, failure_of

KEY = ConnectionKey("a.org", 80, False, True, None, None, None)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ClientConnectorDNSError(KEY, NameNotFound("no address")), Reason.DNS),
        (ClientConnectorDNSError(KEY, AddressRefused()), Reason.ADDRESS),
        (ClientOSError(errno.EPIPE, "broken pipe"), Reason.CONNECT),
        (ConnectionResetError("gone"), Reason.RESET),
        (ssl.SSLError("bad record"), Reason.TLS),
        (OSError(errno.EMFILE, "too many open files"), Reason.LOCAL),
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


async def test_no_text_of_the_http_library_leaks() -> None:
    refused = OSError(errno.ECONNREFUSED, "Connect call failed ('127.0.0.1', 9)")
    untrusted = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed")
    untrusted.verify_message = "self-signed certificate"
    errors: dict[BaseException, str] = {
        ClientConnectorError(KEY, refused): "Connection refused",
        ClientConnectorDNSError(KEY, NameNotFound("no answer within 5 s")): "no answer within 5 s",
        ClientConnectorCertificateError(KEY, untrusted): "self-signed certificate",
        ClientConnectorSSLError(KEY, ssl.SSLError(1, "[SSL] wrong version")): "",
    }
    for error, detail in errors.items():
        assert failure_of(error, Exchange(Timeouts())).detail == detail

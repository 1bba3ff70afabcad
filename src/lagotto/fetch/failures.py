"""From what went wrong in aiohttp to one typed reason and a line that a person can read."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

from aiohttp import client_exceptions as http

from lagotto.fetch.dns import AddressRefused
from lagotto.fetch.exchange import Disconnected, Exchange
from lagotto.records import Failure, Reason

EXPECTED = (http.ClientError, OSError)
"""What a request may end in; anything else is a defect of ours and is not caught."""

_MAX_DETAIL = 200

# The first match decides, so a class comes before those it derives from.
_REASONS: tuple[tuple[type[BaseException], Reason], ...] = (
    (AddressRefused, Reason.ADDRESS),
    (http.ClientProxyConnectionError, Reason.PROXY),
    (http.ClientHttpProxyError, Reason.PROXY),
    (http.ClientConnectorDNSError, Reason.DNS),
    (http.ClientSSLError, Reason.TLS),
    (http.ClientConnectorCertificateError, Reason.TLS),
    (ssl.SSLError, Reason.TLS),
    (ssl.CertificateError, Reason.TLS),
    (Disconnected, Reason.RESET),
    (ConnectionResetError, Reason.RESET),
    (http.ClientConnectorError, Reason.CONNECT),
    (http.ServerDisconnectedError, Reason.RESET),
    (http.InvalidURL, Reason.SCHEME),
    (http.ClientResponseError, Reason.BAD_HTTP),
    (http.ClientPayloadError, Reason.RESET),
    (OSError, Reason.CONNECT),
    (http.ClientError, Reason.BAD_HTTP),
)


def failure_of(error: BaseException, exchange: Exchange, *, proxied: bool = False) -> Failure:
    """The failure that an error amounts to, given how far the exchange had come."""
    if exchange.stopped:
        return failure(*exchange.stopped, exchange.sent_at)
    reason = _reason_of(error, exchange)
    if proxied and reason in (Reason.DNS, Reason.ADDRESS):
        reason = Reason.PROXY  # the only name that is looked up is the proxy's
    return failure(reason, _text(error), exchange.sent_at)


def failure(reason: Reason, detail: str, sent_at: float) -> Failure:
    """A failure whose detail is one short line without control characters."""
    words = "".join(c if c.isprintable() else " " for c in detail).split()
    return Failure(reason, " ".join(words)[:_MAX_DETAIL], sent_at=sent_at)


def _reason_of(error: BaseException, exchange: Exchange) -> Reason:
    if exchange.deadline.expired():
        return exchange.timeout_reason
    if isinstance(error, TimeoutError):
        return exchange.idle_reason
    causes = list(_causes(error))
    for kind, reason in _REASONS:
        if any(isinstance(cause, kind) for cause in causes):
            return reason
    return Reason.BAD_HTTP


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and all that caused it, outermost first."""
    while error is not None:
        yield error
        if isinstance(error, http.ClientConnectorError):
            yield error.os_error
        error = error.__cause__


def _text(error: BaseException) -> str:
    if isinstance(error, http.ClientPayloadError):
        return "the connection broke off before the body"
    if isinstance(error, TimeoutError):
        return ""
    return error.message if isinstance(error, http.ClientResponseError) else str(error)

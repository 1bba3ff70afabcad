"""Turns exceptions of aiohttp into a `Failure` with a typed reason and one readable line."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Iterator

from aiohttp import client_exceptions as http

from lagotto.base.records import Failure, Reason
from lagotto.fetch.dns import AddressRefused, is_local
from lagotto.fetch.exchange import Disconnected, Exchange

EXPECTED = (http.ClientError, OSError)
"""Exceptions that a request may end in; any other one is a bug of ours and is not caught."""

LOCAL_WAIT = 0.1
"""Seconds to wait when our system has no more files, ports or memory."""

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


def failure_of(
    error: BaseException, exchange: Exchange, *, proxied: bool = False, stalled: bool = False
) -> Failure:
    """The failure that an error means, depending on how far the exchange had come.

    `stalled`: this process did not run for most of the time, so that the server is not to blame.
    """
    if exchange.stopped:
        return failure(*exchange.stopped, exchange.sent_at)
    if any(map(is_local, _causes(error))):
        return local_failure(error)
    reason = _reason_of(error, exchange)
    if proxied and reason in (Reason.DNS, Reason.ADDRESS):
        reason = Reason.PROXY  # the only name that is looked up is the proxy's
    made = failure(reason, _text(error), exchange.sent_at)
    # A server may close a kept connection at the very moment at which a request is on its way.
    made.again = stalled or (reason is Reason.RESET and exchange.reused and not exchange.answered_at)
    if made.again and made.sent_at:
        made.sent_at = time.monotonic()  # The server may have read the request just now.
    return made


def local_failure(error: BaseException) -> Failure:
    """The failure for an error of our own system; the request is repeated and no host is blamed."""
    cause = next(cause for cause in _causes(error) if is_local(cause))
    assert isinstance(cause, OSError)
    return Failure(Reason.LOCAL, cause.strerror or str(cause), retry_after=LOCAL_WAIT, again=True)


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
    if isinstance(error, http.ClientResponseError):
        return error.message
    *_, first = _causes(error)  # aiohttp's own text tells of its settings
    if isinstance(first, ssl.SSLError):
        said: str = getattr(first, "verify_message", "") or getattr(first, "reason", "") or ""
        return said.replace("_", " ").lower()
    if isinstance(first, OSError) and first.errno is not None:
        return os.strerror(first.errno)
    return str(first)

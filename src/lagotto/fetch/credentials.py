"""What the user lets us send to a site: extra headers, basic authentication, cookies.

Headers and authentication belong to an origin (scheme, host and port), cookies to a domain and the ports
of its seeds. They are chosen for each request, so a redirect carries nothing along. Cookies that servers
set are not kept.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from pathlib import Path

from lagotto.errors import InputError
from lagotto.fetch.cookies import Cookies
from lagotto.urls import canonical, origin_of

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
# Headers that HTTP itself needs, and the name by which site owners know us.
_RESERVED = frozenset(
    {"connection", "content-length", "expect", "host", "te", "transfer-encoding", "upgrade", "user-agent"}
)


class Credentials:
    """Headers for each URL, and for no other.

    `headers` are lines such as `X-Key: value`, sent to `origins`; `auth` are
    `user:password@https://example.org`; `cookies_file` is a Netscape `cookies.txt`.
    """

    def __init__(
        self,
        *,
        headers: Sequence[str] = (),
        origins: Sequence[str] = (),
        auth: Sequence[str] = (),
        cookies_file: Path | None = None,
    ) -> None:
        if headers and not origins:
            raise InputError("extra headers need a site to go to; give a seed URL")
        self.origins = [_origin(text) for text in origins]
        self.cookies_file = cookies_file
        lines = [_read_header(line) for line in headers]
        self._by_origin: dict[str, list[tuple[str, str]]] = {
            origin: list(lines) for origin in self.origins if lines
        }
        for text in auth:
            origin, value = _read_auth(text)
            self._by_origin.setdefault(origin, []).append(("Authorization", value))
        self._cookies = Cookies(cookies_file, self.origins) if cookies_file else None

    def headers_for(self, url: str) -> list[tuple[str, str]]:
        """Headers that a request for this canonical URL carries."""
        headers = list(self._by_origin.get(origin_of(url), ()))
        if self._cookies is not None and (cookie := self._cookies.header_for(url)):
            headers.append(("Cookie", cookie))
        return headers


def _origin(text: str) -> str:
    url = canonical(text)
    if url is None:
        raise InputError(f"'{text}' is not an origin; write it like https://example.org")
    return origin_of(url)


def _read_header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    name, value = name.strip(), value.strip()
    if not colon or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        raise InputError(f"'{name}' is not a header; write it like 'Name: value'")
    if name.lower() in _RESERVED:
        raise InputError(f"the header {name} cannot be set; it is part of how Lagotto speaks to servers")
    return name, value


def _read_auth(text: str) -> tuple[str, str]:
    secret, at, origin = text.rpartition("@")
    if not at or ":" not in secret or "://" not in origin:
        raise InputError("basic authentication is written like user:password@https://example.org")
    return _origin(origin), f"Basic {base64.b64encode(secret.encode()).decode()}"

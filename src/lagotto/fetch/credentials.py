"""What the user lets us show a site: extra headers, basic authentication, cookies.

Each belongs to an origin (scheme, host and port) or, for cookies, to a domain, and goes nowhere
else; every request asks anew, so a redirect carries nothing along. Cookies that servers set are
not kept.
"""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from lagotto.errors import InputError
from lagotto.urls import canonical, origin_of, site_of

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
# The connection's own business, and what robots.txt and the site's operator know us by.
_RESERVED = frozenset(
    {"connection", "content-length", "expect", "host", "te", "transfer-encoding", "upgrade", "user-agent"}
)


class _Cookie(Struct):
    domain: str
    subdomains: bool
    path: str
    secure: bool
    expires: float
    pair: str


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
        self._by_site: dict[str, list[_Cookie]] = {}
        for cookie in _read_cookies(cookies_file) if cookies_file else ():
            self._by_site.setdefault(site_of(cookie.domain), []).append(cookie)

    def headers_for(self, url: str) -> list[tuple[str, str]]:
        """Headers that a request for this canonical URL carries."""
        origin = origin_of(url)
        headers = list(self._by_origin.get(origin, ()))
        if self._by_site and (cookies := self._cookies_for(url, origin)):
            headers.append(("Cookie", "; ".join(cookies)))
        return headers

    def _cookies_for(self, url: str, origin: str) -> list[str]:
        scheme, _, authority = origin.partition("://")
        host = re.sub(r":\d+$", "", authority)
        path = url[len(origin) :].partition("?")[0]
        now = time.time()
        fitting = [
            cookie
            for cookie in self._by_site.get(site_of(host), ())
            if (host == cookie.domain or (cookie.subdomains and host.endswith(f".{cookie.domain}")))
            and _path_fits(path, cookie.path)
            and (scheme == "https" or not cookie.secure)
            and (cookie.expires == 0 or cookie.expires > now)
        ]
        return [cookie.pair for cookie in sorted(fitting, key=lambda cookie: -len(cookie.path))]


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


def _read_cookies(path: Path) -> list[_Cookie]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the cookies file {path}: {error}") from error
    cookies = []
    for number, line in enumerate(lines, 1):
        line = line.removeprefix("#HttpOnly_")
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 7 or not fields[4].removeprefix("-").isdecimal() or not _VALUE.fullmatch(line):
            raise InputError(
                f"line {number} of {path} is not a cookie;"
                " export the file again in Netscape format (cookies.txt)"
            )
        domain, subdomains, folder, secure, expires, name, value = fields
        cookie = _Cookie(
            domain.lstrip(".").lower(),
            subdomains.upper() == "TRUE",
            folder if folder.startswith("/") else "/",
            secure.upper() == "TRUE",
            float(expires),
            f"{name}={value}" if name else value,
        )
        if not (cookie.subdomains and _is_public_suffix(cookie.domain)):
            cookies.append(cookie)
    return cookies


def _is_public_suffix(domain: str) -> bool:
    """Whether strangers own names below the domain, as they do below `co.uk`."""
    return site_of(f"x.{domain}") == f"x.{domain}"


def _path_fits(path: str, cookie_path: str) -> bool:
    return path.startswith(cookie_path) and (
        cookie_path.endswith("/") or path[len(cookie_path) : len(cookie_path) + 1] in ("", "/")
    )

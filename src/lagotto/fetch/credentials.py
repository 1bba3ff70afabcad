"""What the user lets us send to a site: extra headers, basic authentication, cookies.

Headers and authentication belong to an origin (scheme, host and port), cookies to a domain and the ports
of its seeds. They are chosen for each request, so a redirect carries nothing along. Cookies that servers
set are not kept.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from pathlib import Path
from urllib.request import Request

from lagotto.base.errors import InputError
from lagotto.base.urls import canonical, host_of, origin_of, site_of

_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
_DEFAULT_PORT = "80"
"""What the standard library takes for the port of a URL that names none, whatever its scheme."""


class Cookies:
    """The cookies of a file; `origins` are those of the seeds."""

    def __init__(self, path: Path, origins: Iterable[str] = ()) -> None:
        self._jar = CookieJar(DefaultCookiePolicy(strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain))
        hosts = [host_of(f"{origin}/") for origin in origins]
        for cookie in _read(path):
            if not (cookie.domain_specified and _is_public_suffix(cookie.domain.lstrip("."))):
                cookie.port = ",".join(sorted(_ports(cookie, hosts)))
                self._jar.set_cookie(cookie)

    def header_for(self, url: str) -> str:
        """The Cookie header of a request for this URL, empty if no cookie belongs there."""
        request = Request(url)
        self._jar.add_cookie_header(request)
        return request.get_header("Cookie") or ""


def _ports(cookie: Cookie, hosts: Iterable[str]) -> set[str]:
    """Ports that the cookie may be sent to."""
    ports = set()
    domain = cookie.domain.removesuffix(".local").lstrip(".")
    for host in hosts:
        name, port = _split(host)
        if name == domain or (cookie.domain_specified and name.endswith(f".{domain}")):
            ports.add(port)
    return ports or {_DEFAULT_PORT}


def _split(host: str) -> tuple[str, str]:
    name, colon, port = host.rpartition(":")
    return (name, port) if colon and port.isdecimal() else (host, _DEFAULT_PORT)


def _read(path: Path) -> list[Cookie]:
    # `MozillaCookieJar` would refuse files of other programs, and quote a secret in its message.
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot read the cookies file {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"the cookies file {path} is not a UTF-8 text file; export it again") from error
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
        cookies.append(_cookie(*fields))
    return cookies


def _cookie(
    domain: str, subdomains: str, path: str, secure: str, expires: str, name: str, value: str
) -> Cookie:
    with_subdomains = subdomains.upper() == "TRUE"
    domain = domain.lstrip(".").lower()
    if "." not in domain:
        domain += ".local"  # So the standard library calls hosts without a dot, such as localhost.
    return Cookie(
        version=0,
        name=name or value,
        value=value if name else None,
        port=None,
        port_specified=False,
        domain=f".{domain}" if with_subdomains else domain,
        domain_specified=with_subdomains,
        domain_initial_dot=with_subdomains,
        path=path if path.startswith("/") else "/",
        path_specified=True,
        secure=secure.upper() == "TRUE",
        expires=int(expires) or None,
        discard=expires == "0",
        comment=None,
        comment_url=None,
        rest={},
    )


def _is_public_suffix(domain: str) -> bool:
    """Whether strangers own names below the domain, as they do below `co.uk`."""
    return site_of(f"x.{domain}") == f"x.{domain}"


_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
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

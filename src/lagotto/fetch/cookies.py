"""Cookies from a Netscape `cookies.txt`, matched to URLs by the standard library's cookie policy.

The file names no ports, but a host's ports may belong to different people. So a cookie is bound to the
ports of the seeds on its domain, or to the default ports if there is no such seed. The policy knows no
IPv6 addresses: sites that have no name but such an address get no cookies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from pathlib import Path
from urllib.request import Request

from lagotto.errors import InputError
from lagotto.urls import host_of, site_of

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

"""What requests may set: options that are declared to be harmless, and what the operator has allowed."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Meta, Struct

from lagotto.base.errors import InputError
from lagotto.crawling.config import by_name, fields


class Permissions(Struct, frozen=True):
    """What the operator of the server allows."""

    allow_private: tuple[str, ...] = ()
    """Private ranges that crawls may fetch from, and search engines may be in."""
    proxy: str = ""
    """Proxy of all crawls that are started here, and of requests to search engines."""

    def checked(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Options by the names of their fields, if a request may set all of them."""
        named = by_name(values)
        self.check_private(named.get("allow_private", ()))
        for name, value in named.items():
            if name == "allow_private":
                continue
            if not fields()[name].option.http:
                raise InputError(f"'{name}' cannot be set here; start the crawl on the command line for that")
            fields()[name].check_request(value)
        return named

    def check_private(self, ranges: Sequence[str]) -> None:
        """Refuse private ranges that the operator has not allowed."""
        if not isinstance(ranges, list | tuple):
            raise InputError("allow_private is a list of ranges, such as 10.0.0.0/8")
        allowed = [_network(text) for text in self.allow_private]
        for text in ranges:
            if not _inside(_network(text), allowed):
                raise InputError(f"{text} is not allowed; start the server with --allow-private {text}")

    def check_engines(self, engines: Iterable[str]) -> None:
        """Refuse engines that read files."""
        for engine in engines:
            if engine.strip().lower().startswith("file"):
                raise InputError(
                    f"'{engine}' reads a file, which requests may not; name an engine such as brave"
                )


def bounds_of(name: str) -> Meta:
    """The numbers that a request may give an option, as the types of the API say it."""
    field = fields()[name]
    if field.option.above is not None:
        return Meta(gt=field.option.above, le=field.most)
    return Meta(ge=field.option.least, le=field.most)


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(str(text), strict=False)
    except ValueError:
        raise InputError(f"'{text}' is no range of addresses; write it like 10.0.0.0/8") from None


def _inside(
    network: ipaddress.IPv4Network | ipaddress.IPv6Network,
    allowed: Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network],
) -> bool:
    if isinstance(network, ipaddress.IPv4Network):
        return any(isinstance(each, ipaddress.IPv4Network) and network.subnet_of(each) for each in allowed)
    return any(isinstance(each, ipaddress.IPv6Network) and network.subnet_of(each) for each in allowed)

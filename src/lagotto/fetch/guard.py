"""Which addresses may be connected to: public ones, and private ones that the user has named.

The tables are our own, from the IANA special-purpose registries: `ipaddress.is_global` changes with
the Python version and does not look at the IPv4 address that an IPv6 address may carry.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from lagotto.base.errors import InputError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_NOT_PUBLIC_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local, cloud metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # retired 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_PUBLIC_V6 = IPv6Network("2000::/3")
_NOT_PUBLIC_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
)
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR = IPv6Network("2002::/16")


class Guard:
    """Decides on an address and a port; everything that connects asks it, at connect time.

    >>> Guard().allows("93.184.216.34", 80), Guard().allows("::ffff:127.0.0.1", 80)
    (True, False)
    >>> Guard(["127.0.0.0/8:8000-9000"]).allows("127.0.0.1", 8080)
    True
    """

    def __init__(self, allow_private: Sequence[str] = ()) -> None:
        self.allow_private = list(allow_private)
        self._allowed = [_read_exception(text) for text in allow_private]

    def allows(self, address: str, port: int) -> bool:
        """Whether a connection to this address and port may be opened."""
        try:
            parsed = _unwrap(ip_address(address))
        except ValueError:
            return False
        return _is_public(parsed) or any(
            port in ports and parsed in network for network, ports in self._allowed
        )

    def allows_host(self, host: str, port: int) -> bool:
        """Whether a URL's host may be asked for: a literal address must be allowed, a name always is."""
        literal = host.strip("[]")
        if ":" not in literal and not literal[-1:].isdigit():
            return True  # No address looks like that, and names are asked about for every request.
        try:
            ip_address(literal)
        except ValueError:
            return True
        return self.allows(literal, port)


def _unwrap(address: Address) -> Address:
    """The IPv4 address that an IPv6 address leads to, else the address itself."""
    if isinstance(address, IPv4Address):
        return address
    bits = int(address)
    if address in _MAPPED or address in _NAT64:
        return IPv4Address(bits & 0xFFFFFFFF)
    if address in _SIX_TO_FOUR:
        return IPv4Address((bits >> 80) & 0xFFFFFFFF)
    return address


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    return address in _PUBLIC_V6 and not any(address in network for network in _NOT_PUBLIC_V6)


def _read_exception(text: str) -> tuple[Network, range]:
    """Read `CIDR` or `CIDR:PORT` or `CIDR:PORT-PORT`."""
    cidr, ports = text.strip(), ""
    head, slash, tail = cidr.partition("/")
    if slash:
        tail, _, ports = tail.partition(":")
        cidr = f"{head}/{tail}"
    elif cidr.count(":") == 1:
        cidr, _, ports = cidr.partition(":")
    first, dash, last = ports.partition("-")
    try:
        network = ip_network(cidr, strict=False)
        low = int(first) if ports else 0
        high = int(last) if dash else (low if ports else 65535)
    except ValueError:
        raise InputError(
            f"'{text}' is not a network that --allow-private understands;"
            " write it like 127.0.0.0/8 or 127.0.0.0/8:8000-9000"
        ) from None
    if not 0 <= low <= high <= 65535:
        raise InputError(f"the ports of '{text}' are out of order or out of range; they go from 0 to 65535")
    return network, range(low, high + 1)

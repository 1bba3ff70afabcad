"""The address guard: only public addresses, and what the user has named."""

from __future__ import annotations

import json
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.base.urls import canonical
from lagotto.fetch import Guard


def test_agrees_with_the_ssrf_cases(lagotto_data: Path) -> None:
    cases = json.loads((lagotto_data / "conformance/ssrf/ssrf_cases.json").read_text())["cases"]
    guard = Guard()
    blocked = 0
    for case in cases:
        url = canonical(case["url"])
        if "ip" in case:
            assert not guard.allows(case["ip"], 80), case["url"]
        if case["verdict"] == "reject-unparseable":
            assert url is None, case["url"]
        if case["verdict"] == "block" and url is not None:
            assert not guard.allows_host(ada_url.URL(url).hostname, 80), case["url"]
            blocked += 1
    assert len(cases) == 346
    assert blocked > 200


@pytest.mark.parametrize(
    "address",
    [
        "93.184.216.34",
        "8.8.8.8",
        "192.0.1.1",
        "172.15.255.255",
        "172.32.0.0",
        "2606:4700::1111",
        "64:ff9b::808:808",
        "2002:808:808::1",
        "::ffff:8.8.8.8",
    ],
)
def test_public_addresses_are_allowed(address: str) -> None:
    assert Guard().allows(address, 80)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.1",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "203.0.113.9",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "2001::1",
        "2001:db8::1",
        "64:ff9b:1::1",
        "not an address",
        "",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    assert not Guard().allows(address, 80)


@given(st.ip_addresses(v=4))
def test_an_embedded_address_counts_as_itself(address: IPv4Address) -> None:
    guard, bits = Guard(), int(address)
    embedded = [
        IPv6Address((0xFFFF << 32) | bits),
        IPv6Address((0x64FF9B << 96) | bits),
        IPv6Address((0x2002 << 112) | (bits << 80)),
    ]
    assert {guard.allows(str(a), 80) for a in embedded} == {guard.allows(str(address), 80)}


@given(st.ip_addresses(v=4), st.integers(0, 65535))
def test_whatever_is_allowed_is_global_to_python_too(address: IPv4Address, port: int) -> None:
    # Python's table may lag behind ours but never calls a private address global that we allow.
    if Guard().allows(str(address), port):
        assert not address.is_private
        assert not address.is_multicast


def test_named_networks_are_allowed_on_the_named_ports() -> None:
    guard = Guard(["127.0.0.0/8:8000-9000", "::1/128:80", "10.0.0.5", "192.168.0.1:8080"])
    assert guard.allows("127.9.9.9", 8000)
    assert guard.allows("127.0.0.1", 9000)
    assert not guard.allows("127.0.0.1", 9001)
    assert guard.allows("::ffff:127.0.0.1", 8500)
    assert guard.allows("::1", 80)
    assert not guard.allows("::1", 81)
    assert guard.allows("10.0.0.5", 1)
    assert not guard.allows("10.0.0.6", 1)
    assert guard.allows("192.168.0.1", 8080)
    assert not guard.allows("192.168.0.1", 80)
    assert guard.allow_private[0] == "127.0.0.0/8:8000-9000"


def test_names_are_left_to_resolution() -> None:
    guard = Guard()
    assert guard.allows_host("localhost", 80)
    assert guard.allows_host("a.localhost", 80)
    assert not guard.allows_host("127.0.0.1", 80)
    assert not guard.allows_host("[::1]", 80)


@pytest.mark.parametrize(
    "text", ["", "nonsense", "127.0.0.0/99", "127.0.0.0/8:x", "127.0.0.0/8:9-1", "::1/128:70000"]
)
def test_a_network_that_makes_no_sense_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        Guard([text])

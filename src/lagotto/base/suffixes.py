"""The public suffix list: under which names, such as `co.uk` or `github.io`, anybody can have one.

The list (https://publicsuffix.org) is packed with the package; `scripts/make_suffixes.py` renews it.
"""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).with_name("public_suffixes.txt.gz")


class _Rules(NamedTuple):
    plain: frozenset[str]
    wild: frozenset[str]
    """Names below which each label is a suffix: `*.ck`."""
    exceptions: frozenset[str]
    """Names that are none although a wildcard says so: `!www.ck`."""


@cache
def _rules() -> _Rules:
    plain, wild, exceptions = set(), set(), set()
    for rule in gzip.decompress(LIST.read_bytes()).decode("ascii").split("\n"):
        if rule[0] == "*":
            wild.add(rule[2:])
        elif rule[0] == "!":
            exceptions.add(rule[1:])
        else:
            plain.add(rule)
    return _Rules(frozenset(plain), frozenset(wild), frozenset(exceptions))


def public_suffix(name: str) -> str:
    """The longest listed suffix of a host name in lower case and Punycode; without one, its last label.

    >>> public_suffix("www.shop.co.uk"), public_suffix("wiki.internal")
    ('co.uk', 'internal')
    """
    plain, wild, exceptions = _rules()
    rest = name
    while True:
        parent = rest.partition(".")[2]
        if rest in exceptions:
            return parent
        if not parent or rest in plain or parent in wild:
            return rest
        rest = parent

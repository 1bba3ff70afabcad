"""Fetched pages to try the rules on."""

from __future__ import annotations

from random import Random

from lagotto.crawling.frontier.traps import Sighting


def page(url: str, content: object, parent: str = "", *, bits: int = 0) -> Sighting:
    """A page whose content is named; `bits` of its simhash, drawn by its URL, differ from the content's."""
    random = Random(str(content))
    fingerprint, simhash = random.getrandbits(63), random.getrandbits(64)
    if bits:
        changed = Random(url)
        fingerprint = changed.getrandbits(63)
        for bit in changed.sample(range(64), bits):
            simhash ^= 1 << bit
    return Sighting(url, fingerprint, simhash - (1 << 64) if simhash >> 63 else simhash, parent)

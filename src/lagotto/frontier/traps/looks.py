"""The common look of pages: the majority of their simhashes, bit by bit."""

from __future__ import annotations

import numpy as np

from lagotto.frontier.traps.sightings import distance

_ALL = (1 << 64) - 1


class Look:
    """Centre of the simhashes that were added."""

    def __init__(self) -> None:
        self.pages = 0
        self._ones = np.zeros(64, np.int32)
        self._centre = 0

    def add(self, simhash: int) -> None:
        """Take one more page into the centre."""
        self.pages += 1
        bits = (simhash & _ALL).to_bytes(8, "little")
        self._ones += np.unpackbits(np.frombuffer(bits, np.uint8))
        centre = np.packbits(self._ones > self.pages // 2)
        self._centre = int.from_bytes(centre.tobytes(), "little", signed=True)

    def distance(self, simhash: int) -> int:
        """Bits by which a simhash differs from the centre."""
        return distance(self._centre, simhash)

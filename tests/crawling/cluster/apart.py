"""Runs a module in a network of its own, since Ray listens more widely than it is asked to.

    python -m tests.crawling.cluster.apart MODULE [ARGUMENT...]

Needs the rights of root. The network has a loopback interface and nothing else.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys

_NEW_NETWORK = 0x40000000
_SET_FLAGS, _UP = 0x8914, 0x1


def enter() -> bool:
    """Leave the machine's network for one of this process; says whether that was allowed."""
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_NETWORK) != 0:
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        fcntl.ioctl(probe, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
    return True


if __name__ == "__main__":
    if not enter():
        sys.exit("a network of its own needs the rights of root")
    os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])

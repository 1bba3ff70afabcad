"""Lagotto's command line with a resolver that slowly fails for every name.

The resolver's threads run as usual, but no query leaves the machine.
"""

from __future__ import annotations

import socket
import time
from typing import Any
from unittest.mock import patch

from lagotto.cli import main

SECONDS_TO_SAY_NO = 0.2


def unknown(host: str, *_: Any, **__: Any) -> list[Any]:
    """What `socket.getaddrinfo` does for a name that does not exist."""
    time.sleep(SECONDS_TO_SAY_NO)
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


if __name__ == "__main__":
    with patch("socket.getaddrinfo", unknown):
        main()

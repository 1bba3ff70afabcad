"""Errors of our own system, which say nothing about the server that was to be asked."""

from __future__ import annotations

import errno
import socket

_LOCAL = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.EAGAIN, errno.EADDRNOTAVAIL}
)


def is_local(error: BaseException) -> bool:
    """Whether our system has no more files, ports, threads or memory to give.

    >>> is_local(OSError(errno.EMFILE, "Too many open files")), is_local(ConnectionRefusedError())
    (True, False)
    """
    return isinstance(error, OSError) and not isinstance(error, socket.gaierror) and error.errno in _LOCAL

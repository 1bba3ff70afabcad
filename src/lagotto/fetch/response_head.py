"""Checks status line and headers more strictly than aiohttp's parser does.

Two programs that read the same malformed head differently can be played off against each other, so
what RFC 9112 tells clients to refuse is refused here.
"""

from __future__ import annotations


class HeadCheck:
    """Reads the bytes of one answer, interim answers included, up to the end of its head.

    >>> HeadCheck().read(b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n")
    ''
    >>> HeadCheck().read(b"HTTP/1.1 200 OK\\r\\n X-Key: a\\r\\n\\r\\n")
    'white space before the first header'
    """

    def __init__(self) -> None:
        self.done = False
        self._head = b""

    def read(self, chunk: bytes) -> str:
        """Take in more bytes; returns what is wrong with the head, an empty string if nothing is."""
        head = self._head + chunk if self._head else chunk
        while (end := _end_of(head)) >= 0:
            fault = _fault_in(head[:end])
            # After an interim answer, such as 103 Early Hints, another head follows.
            if fault or head[:end].lstrip()[9:10] != b"1":
                self.done, self._head = True, b""
                return fault
            head = head[end:]
        self._head = head
        return ""


def _end_of(head: bytes) -> int:
    """Index after the empty line that ends the head, -1 if it has not come yet."""
    end = head.find(b"\r\n\r\n")
    # A server may end lines with LF alone.
    bare = head.find(b"\n\n", 0, end if end >= 0 else len(head))
    if bare >= 0:
        return bare + 2
    return end + 4 if end >= 0 else -1


def _fault_in(head: bytes) -> str:
    if b"\0" in head:
        return "NUL in the headers"
    feeds, returns = head.count(b"\n"), head.count(b"\r")
    if returns and not (feeds == returns == head.count(b"\r\n")):
        return "line ends are mixed"
    first_header = head.find(b"\n", len(head) - len(head.lstrip())) + 1
    if head[first_header : first_header + 1] in (b" ", b"\t"):
        return "white space before the first header"
    return ""

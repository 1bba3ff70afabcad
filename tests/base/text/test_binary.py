"""Binary files are told from text."""

from __future__ import annotations

import pytest

from lagotto.base.text.tokens import looks_binary


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0", b"%PDF-1.7", b"\x1f\x8b\x08\0", b"PK\x03\x04"])
def test_binary(content: bytes) -> None:
    assert looks_binary(content)


@pytest.mark.parametrize("text", ["", "one\ttwo\r\nthree\f", "Zürich, 東京", "\x1b[31mred"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_text(text: str, encoding: str) -> None:
    assert not looks_binary(text.encode(encoding))

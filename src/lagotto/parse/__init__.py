"""Parse: bytes -> `Page`, in processes that can be killed.

The life of a body: fetched -> sent to a parser process -> decoded -> tree -> text and links -> terms
and hashes -> `Page`; or given up because it took too long, too much memory, or its process with it.
"""

from __future__ import annotations

from lagotto.parse.page import parse_page
from lagotto.parse.pool import InlineParser, ParserPool

__all__ = ["InlineParser", "ParserPool", "parse_page"]

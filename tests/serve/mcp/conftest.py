"""The demo web, a crawl of it, and calls of tools as a client makes them."""

from __future__ import annotations

from tests.serve.web.conftest import demo, harvest

__all__ = ["demo", "harvest"]

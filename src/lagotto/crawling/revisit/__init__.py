"""Visiting the pages of a crawl again: which of them when, what counts as a change, what is kept.

`Revisiting` opens a crawl and runs the worker of a crawl over its pages; `PageQueue` stands between the
worker and the store. `rates` says how often each page changes, and `changes` whether it did.
"""

from __future__ import annotations

"""A small web made up on the spot, with its truth: a testing ground that needs no internet.

Word lists (`words/`) become sentences (`prose`), sites and their pages are laid out (`sites`), each
page is given its links (`linking`) and its HTML (`rendering`) when it is asked for, and `web` answers
for the whole. Which page is about what is known to the judge (`DemoWeb.labels`), never to a crawler.
"""

from __future__ import annotations

from lagotto.demo.web import DemoTopic, DemoWeb

__all__ = ["DemoTopic", "DemoWeb"]

"""A small generated web with labels, for demos and tests without internet.

`sites` plans the sites and their pages. `linking` makes a page's links and `rendering` its HTML on request,
with sentences that `prose` makes from word lists (`words/`). `web` puts all together. The labels
(`DemoWeb.labels`) are for evaluation, never for a crawler.
"""

from __future__ import annotations

from lagotto.lab.demo.web import DemoTopic, DemoWeb

__all__ = ["DemoTopic", "DemoWeb"]

"""`scent`, the default strategy: a page judge and a link model, both learning as they go.

`judge` computes a page's relevance from its text and the pages that link to it; `score` computes the scores
of its links with the current weights; `learn` adds the page and its links to what is known. From time to time
the judge is fitted again to all pages (`Judge.fit`), and link scores are revised (`LinkModel.look`), which
changes the scores of queued links (`revisions`).
"""

from __future__ import annotations

from lagotto.focus.strategies.scent.strategy import Scent

__all__ = ["Scent"]

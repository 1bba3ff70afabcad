"""`scent`, the default strategy: a page judge and a link model, both learning as they go.

A page's life here: `judge` weighs its text, the pages that link to it and what its links promised; `score`
looks at its links with the weights in force; `learn` takes both into memory. Now and then the judge is
fitted again to all pages (`judge.fit`), and all links are looked at anew (`apprentice.fit`), which changes
the scores of links that are already queued (`revisions`).
"""

from __future__ import annotations

from lagotto.strategies.scent.strategy import Scent

__all__ = ["Scent"]

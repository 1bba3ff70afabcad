"""`scent`, the default strategy: a page judge and a link model, both learning as they go.

The life of a page here: hashed into terms (`buckets`) -> judged by its text and the pages that link to it
(`judge`) -> its links scored by their features (`link_model`) -> its sample learned: the page joins the
`corpus`, its links the `link_table`. From time to time the judge is fitted again to all pages (`Judge.fit`)
and link scores are revised (`LinkModel.revise`), which changes the scores of queued links (`revisions`).
"""

from __future__ import annotations

from lagotto.focus.strategies.scent.strategy import Scent

__all__ = ["Scent"]

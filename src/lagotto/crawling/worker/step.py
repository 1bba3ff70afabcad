"""What happens to one parsed page: judge it, score its links, sample it for learning.

Pure: the strategy is only read, nothing is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from lagotto.base.hashing import KEYS
from lagotto.base.records import DROPPED, HIDDEN, Judgement, Lease, Link, LinkScores, NewLink, Page
from lagotto.base.urls import checksum, host_of
from lagotto.crawling.frontier import Refused, Scope
from lagotto.focus.strategies.base import Strategy

Watch = Callable[[Page, LinkScores], None]
"""Callback that receives the link scores of a page, those of links left out included."""


class Step(msgspec.Struct):
    """What a page led to, before it is committed."""

    judgement: Judgement
    links: list[NewLink]
    sample: bytes | None
    left_out: Counter[str]
    """Reason -> links that were not taken into the frontier."""


def take_step(
    page: Page,
    lease: Lease,
    strategy: Strategy,
    scope: Scope,
    *,
    obey_nofollow: bool = False,
    watch: Watch | None = None,
) -> Step:
    """Judge the page, score the links in scope, and sample it for learning; `watch` receives the scores."""
    left_out: Counter[str] = Counter(page.left_out)
    links = links_in_scope(page, lease, scope, left_out, obey_nofollow=obey_nofollow)
    page = msgspec.structs.replace(page, links=links)
    judgement = strategy.judge(page)
    rank = strategy.rank(page, judgement, lease)
    if rank != judgement.shelf:
        judgement = msgspec.structs.replace(judgement, shelf=rank)
    scores = strategy.score(page, judgement, lease)
    if watch is not None:
        watch(page, scores)
    return Step(
        judgement=judgement,
        links=new_links(page, lease, judgement, scores.values, scores.parts, left_out),
        sample=strategy.sample(page, judgement, lease),
        left_out=left_out,
    )


def links_in_scope(
    page: Page, lease: Lease, scope: Scope, left_out: Counter[str], *, obey_nofollow: bool
) -> list[Link]:
    """The page's links that the scope admits; the others are counted by reason."""
    if page.nofollow:
        left_out[Refused.PAGE_NOFOLLOW] += len(page.links)
        return []
    kept = []
    refusal = scope.refusals(lease.depth + 1, lease.url)
    for link in page.links:
        refused = _refused_by_rel(link.rel, obey_nofollow) if link.rel else None
        refused = refused or refusal(link.url)
        if refused is None:
            kept.append(link)
        else:
            left_out[refused] += 1
    return kept


def _refused_by_rel(rel: str, obey_nofollow: bool) -> Refused | None:
    if "nofollow" not in rel:
        return None
    if HIDDEN in rel:
        return Refused.HIDDEN
    return Refused.NOFOLLOW if obey_nofollow else None


def new_links(
    page: Page,
    lease: Lease,
    judgement: Judgement,
    values: np.ndarray,
    parts: np.ndarray,
    left_out: Counter[str],
) -> list[NewLink]:
    """Links the strategy wants to follow, with their scores."""
    held = judgement.shelf is not None
    rows = parts.tolist()
    found = []
    depth, parent = lease.depth + 1, lease.url
    for link, id, score, row in zip(page.links, _ids(page.links), values.tolist(), rows, strict=True):
        if score == DROPPED:
            left_out[Refused.LOW_SCORE] += 1
            continue
        url = link.url
        anchor = (link.anchor or link.alt)[:200]
        found.append(
            NewLink(id, url, link.host or host_of(url), score, row, depth, parent, anchor, held=held)
        )
    return found


def _ids(links: Sequence[Link]) -> list[int]:
    """Checksums of the links' URLs, which the keys of hashed links begin with."""
    keys = [link.keys for link in links]
    if b"" in keys:
        return [checksum(link.url) for link in links]
    ids: list[int] = np.frombuffer(b"".join(keys), KEYS)["id"].tolist()
    return ids

"""The link model's features, computed from the link table."""

from __future__ import annotations

import numpy as np

from lagotto.focus.strategies.scent import evidence as pairs
from lagotto.focus.strategies.scent.evidence import (
    LINK_GROUPS,
    MEMBERS,
    REACH,
    RELEVANCE,
    TARGET_GROUPS,
    counted_totals,
)
from lagotto.focus.strategies.scent.features import (
    LINK_SMOOTHING,
    NAMES,
    TARGET_SMOOTHING,
    LinkColumns,
    TargetColumns,
    features,
    features_of_one,
    rates,
)
from lagotto.focus.strategies.scent.judge import Lexicon, cosines
from lagotto.focus.strategies.scent.link_table import LinkTable, NewLinks

DEEPEST = 64
"""Number of newest links of a target that are used."""
_NEARNESS = np.array([1.0 / abs(at) if at else 0.0 for at in range(-REACH, REACH + 1)], np.float32)


def of_targets(
    table: LinkTable, rows: np.ndarray, relevance: np.ndarray, lexicon: Lexicon, base: float
) -> np.ndarray:
    """Features of targets, given the relevance of all pages."""
    at, lengths = table.newest(rows, DEEPEST)
    groups = table.evidence.groups
    own = counted_totals(table.targets, rows)
    successes = np.empty((2, len(LINK_GROUPS) + 1, len(at)), np.float32)
    for group, name in enumerate(LINK_GROUPS):
        successes[:, group] = groups[name].of(table.links[name].rows.take(at))
    successes[:, :-1] -= np.repeat(own, lengths, axis=1)[:, np.newaxis]
    successes[:, -1] = groups["near"].of(table.links["page"].numbers(at))
    links = LinkColumns(
        relevance.take(table.links["page"].rows.take(at)),
        table.links["similarity"].rows.take(at, axis=0).T,
        meaning(table.links["anchors"].rows.take(at, axis=0), lexicon),
        successes,
    )
    of_targets = np.stack([groups[name].of(table.targets[name].rows[rows]) for name in TARGET_GROUPS], axis=1)
    targets = TargetColumns(np.maximum(table.targets["links"].rows[rows], 1), of_targets - own[:, np.newaxis])
    return features(links, targets, lengths, base)


def hints(table: LinkTable, relevance: np.ndarray, weights: np.ndarray, base: float) -> np.ndarray:
    """Approximate contribution of pages, hosts and directories to the scores of all targets.

    It is cheap to compute for all targets because a target is not left out of its own groups.
    """
    weight = dict(zip(NAMES, weights.tolist(), strict=True))
    groups, page = table.evidence.groups, table.links["page"]
    siblings = rates(groups["page"].of(np.arange(len(relevance))), LINK_SMOOTHING[0], base)
    of_page = weight["parents"] * relevance + weight["siblings"] * siblings
    links = table.targets["links"].rows
    found = np.bincount(table.links["target"].rows, of_page[page.rows], len(links)) / np.maximum(links, 1)
    directories = groups["directory"].of(table.targets["directory"].rows)
    found += weight["directory"] * rates(directories, TARGET_SMOOTHING, base)
    found += weight["pages of directory"] * np.log1p(directories[MEMBERS])
    hosts = groups["host"].of(np.arange(len(table.host_names) + 1))
    of_host = weight["host"] * rates(hosts, TARGET_SMOOTHING, base)
    of_host += weight["pages of host"] * np.log1p(hosts[MEMBERS])
    return np.asarray(found + of_host[table.targets["host"].rows])


def of_new_links(
    table: LinkTable, new: NewLinks, of_page: float, lexicon: Lexicon, base: float
) -> np.ndarray:
    """Features of links that are not in the table yet, each treated as the only link to its target."""
    successes = np.zeros((2, len(LINK_GROUPS) + 1 + len(TARGET_GROUPS), len(new.ids)), np.float32)
    groups = table.evidence.groups
    _count_among(successes, table, new)
    successes[:, 2] = groups["host_place"].of(new.host_places)
    successes[:, 4] = groups["host"].of(table.host_numbers(new.hosts))
    successes[:, 5] = groups["directory"].of(new.directories)
    return features_of_one(of_page, new.similarity.T, meaning(new.anchors, lexicon), successes, base)


def meaning(anchors: np.ndarray, lexicon: Lexicon) -> np.ndarray:
    """Cosine of anchors with the judge's term weights."""
    return cosines(pairs.row_sums(lexicon.learned.take(anchors)))


def _count_among(successes: np.ndarray, table: LinkTable, new: NewLinks) -> None:
    """Count fetched targets in the groups of a new page's links: its links, those in one place, neighbours.

    A target is not counted in its own groups. Few targets of new links are fetched, often none.
    """
    rows = table.rows_known(new.ids)
    counted = table.targets["counted"].and_none[rows]
    (at,) = counted.nonzero()
    if not len(at):
        return
    relevance = table.targets["counted_as"].and_none[rows]
    places = new.places[at]
    for totals, own in ((successes[RELEVANCE], relevance), (successes[MEMBERS], counted.astype(np.float32))):
        totals[0] = own.sum() - own
        totals[1] = np.bincount(places, own[at], len(rows))[new.places] - own
        totals[3] = np.correlate(own, _NEARNESS, "full")[REACH:-REACH]

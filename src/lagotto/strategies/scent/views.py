"""What the table knows of targets and of new links, as the link model's features."""

from __future__ import annotations

import numpy as np

from lagotto.strategies.scent.evidence import LINK_GROUPS, REACH, TARGET_GROUPS
from lagotto.strategies.scent.features import (
    LINK_SMOOTHING,
    NAMES,
    TARGET_SMOOTHING,
    LinkColumns,
    TargetColumns,
    features,
    features_of_one,
    rates,
)
from lagotto.strategies.scent.judge import Lexicon, cosines
from lagotto.strategies.scent.linktable import LinkTable, NewLinks

DEEPEST = 64
"""Newest links of a target that are looked at."""
_NEARNESS = np.array([1.0 / abs(at) if at else 0.0 for at in range(-REACH, REACH + 1)], np.complex64)


def of_targets(
    table: LinkTable, rows: np.ndarray, relevance: np.ndarray, lexicon: Lexicon, base: float
) -> np.ndarray:
    """Features of targets, given the relevance of all pages."""
    at, lengths = table.newest(rows, DEEPEST)
    groups = table.evidence.groups
    own = table.targets["counted"].rows[rows]
    successes = np.empty((len(LINK_GROUPS) + 1, len(at)), np.complex64)
    for group, name in enumerate(LINK_GROUPS):
        successes[group] = groups[name].of(table.links[name].rows[at])
    successes[:-1] -= np.repeat(own, lengths)
    successes[-1] = groups["near"].of(table.links["page"].numbers(at))
    links = LinkColumns(
        relevance[table.links["page"].rows[at]],
        table.links["similarity"].rows[at].T,
        meaning(table.links["anchors"].rows[at], lexicon),
        successes,
    )
    of_targets = np.stack([groups[name].of(table.targets[name].rows[rows]) for name in TARGET_GROUPS])
    targets = TargetColumns(np.maximum(table.targets["links"].rows[rows], 1), of_targets - own)
    return features(links, targets, lengths, base)


def hints(table: LinkTable, relevance: np.ndarray, weights: np.ndarray, base: float) -> np.ndarray:
    """What pages, hosts and directories add to the scores of all targets.

    Only roughly, since a target is not left out of its own groups, but cheap to know of all of them.
    """
    weight = dict(zip(NAMES, weights.tolist(), strict=True))
    groups, page = table.evidence.groups, table.links["page"]
    siblings = rates(groups["page"].of(np.arange(len(relevance))), LINK_SMOOTHING[0], base)
    of_page = weight["parents"] * relevance + weight["siblings"] * siblings
    links = table.targets["links"].rows
    found = np.bincount(table.links["target"].rows, of_page[page.rows], len(links)) / np.maximum(links, 1)
    directories = groups["directory"].of(table.targets["directory"].rows)
    found += weight["directory"] * rates(directories, TARGET_SMOOTHING, base)
    hosts = groups["host"].of(np.arange(len(table.host_names) + 1))
    of_host = weight["host"] * rates(hosts, TARGET_SMOOTHING, base)
    of_host += weight["pages of host"] * np.log1p(hosts.imag)
    return np.asarray(found + of_host[table.targets["host"].rows])


def of_new_links(
    table: LinkTable, new: NewLinks, of_page: float, lexicon: Lexicon, base: float
) -> np.ndarray:
    """Features of links that are not in the table yet, each as if it were the only one to its target."""
    successes = np.zeros((len(LINK_GROUPS) + 1 + len(TARGET_GROUPS), len(new.ids)), np.complex64)
    groups = table.evidence.groups
    _count_among(successes, table, new)
    successes[2] = groups["host_place"].of(new.host_places)
    successes[4] = groups["host"].of(table.host_numbers(new.hosts))
    successes[5] = groups["directory"].of(new.directories)
    return features_of_one(of_page, new.similarity.T, meaning(new.anchors, lexicon), successes, base)


def meaning(anchors: np.ndarray, lexicon: Lexicon) -> np.ndarray:
    """Cosine of anchors with the judge's term weights."""
    # A product with ones would wake the threads of BLAS, which take more time than they save.
    return cosines(np.einsum("ij->i", lexicon.weighted.take(anchors)))


def _count_among(successes: np.ndarray, table: LinkTable, new: NewLinks) -> None:
    """Count what the links' targets have added to their groups so far in the page's own groups.

    It is nothing but for fetched targets, of which there are few.
    """
    own = table.targets["counted"].and_none[table.rows_known(new.ids)]
    (at,) = own.imag.nonzero()
    if not len(at):
        return
    in_place = np.zeros(len(own), np.complex64)
    np.add.at(in_place, new.places[at], own[at])
    successes[0] = own.sum() - own
    successes[1] = in_place[new.places] - own
    successes[3] = np.correlate(own, _NEARNESS, "full")[REACH:-REACH]

"""Snapshots of what was learned: numpy arrays and plain values, nothing that could run code when read."""

from __future__ import annotations

from collections import Counter, deque

import numpy as np
from msgspec import Struct, msgpack

from lagotto.focus.judging.level import Line
from lagotto.focus.strategies.scent.drought import Drought
from lagotto.focus.strategies.scent.exploration import Exploration
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.strategies.scent.link_model import LinkModel
from lagotto.focus.strategies.scent.link_table import LinkTable
from lagotto.focus.strategies.scent.live import Live
from lagotto.focus.strategies.scent.progress import WINDOW, Progress
from lagotto.focus.strategies.scent.split import Split

Arrays = dict[str, np.ndarray]


class Plain(Struct, array_like=True):
    """All that is not an array."""

    fitted_at: int
    rolled_back: int
    level: tuple[float, float]
    base: float
    looked_at: int
    next_in_turn: int
    host_names: list[str]
    pages_of_host: dict[str, int]
    pages: int
    relevant: float
    promised: float
    relevant_hosts: dict[str, int]
    window: list[float]
    in_window: float
    best_window: float
    owed: float
    out: list[int]
    picks_promised: float
    picks_found: float
    recent_picks: list[float]
    edits: bytes
    """The user's changes to the words."""
    evidence: float
    live: tuple[float, float, float, float, float]
    """The level of what is shown: slope, offset, trust, cut, and the best page's coverage."""
    drought: tuple[float, float, int] = (0.0, 0.0, 0)
    """Its depth, what links to new hosts get, and the page that it began with."""


def pack(
    judge: Judge,
    links: LinkTable,
    link_model: LinkModel,
    progress: Progress,
    exploration: Exploration,
    drought: Drought,
    live: Live,
    edits: bytes,
) -> bytes:
    """Everything that `learn` can change."""
    arrays = {
        **_judge_arrays(judge),
        **_link_model_arrays(link_model),
        **links.arrays(),
        "noted": progress.numbers.rows,
        "noted_relevances": progress.relevances.rows,
        "noted_hits": progress.hits.rows,
        "signs": live.signs.rows,
        "pages_hosts": drought.hosts.rows,
        "named_by": drought.named_by.rows,
        "of_hosts": drought.of_hosts,
    }
    plain = Plain(
        fitted_at=judge.fitted_at,
        rolled_back=judge.rolled_back,
        level=(judge.level.threshold, judge.level.softness),
        base=link_model.base,
        looked_at=link_model.looked_at,
        next_in_turn=link_model.next_in_turn,
        host_names=links.host_names,
        pages_of_host=dict(sorted(judge.pages_of_host.items())),
        pages=progress.pages,
        relevant=progress.relevant,
        promised=progress.promised,
        relevant_hosts=dict(sorted((+progress.hosts).items())),
        window=list(progress.window),
        in_window=progress.in_window,
        best_window=progress.best_window,
        owed=exploration.owed,
        out=sorted(exploration.out),
        picks_promised=exploration.promised,
        picks_found=exploration.found,
        recent_picks=list(exploration.recent),
        edits=edits,
        evidence=judge.evidence,
        live=(*live.line, live.cut, live.best),
        drought=(drought.depth, drought.of_new, drought.since),
    )
    return msgpack.encode((plain, {name: _as_bytes(array) for name, array in arrays.items()}))


def read(state: bytes) -> tuple[Plain, Arrays]:
    """What `pack` wrote."""
    plain, packed = msgpack.decode(state, type=tuple[Plain, dict[str, tuple[str, list[int], bytes]]])
    arrays = {
        name: np.frombuffer(content, dtype).reshape(shape).copy()
        for name, (dtype, shape, content) in packed.items()
    }
    return plain, arrays


def restore(
    plain: Plain,
    arrays: Arrays,
    judge: Judge,
    links: LinkTable,
    link_model: LinkModel,
    progress: Progress,
    exploration: Exploration,
) -> None:
    """Restore what `read` returned."""
    _load_judge(judge, arrays)
    judge.fitted_at, judge.rolled_back = plain.fitted_at, plain.rolled_back
    judge.level = Split(*plain.level)
    judge.evidence = plain.evidence
    judge.pages_of_host = Counter(plain.pages_of_host)
    link_model.promises.set(arrays["promises"])
    link_model.relevances.set(arrays["relevances"])
    link_model.ways.set(arrays["ways"])
    link_model.seeds.set(arrays["seeds"])
    link_model.weights, link_model.learned = arrays["link_weights"], arrays["learned"]
    link_model.base, link_model.looked_at = plain.base, plain.looked_at
    link_model.next_in_turn = plain.next_in_turn
    links.set_arrays(arrays, plain.host_names)
    progress.pages, progress.relevant, progress.promised = plain.pages, plain.relevant, plain.promised
    progress.hosts = Counter(plain.relevant_hosts)
    progress.numbers.set(arrays["noted"])
    progress.relevances.set(arrays["noted_relevances"])
    progress.hits.set(arrays.get("noted_hits", arrays["noted_relevances"] >= 0.5))
    progress.window = deque(plain.window, WINDOW)
    progress.in_window, progress.best_window = plain.in_window, plain.best_window
    exploration.owed, exploration.out = plain.owed, set(plain.out)
    exploration.promised, exploration.found = plain.picks_promised, plain.picks_found
    exploration.recent.clear()
    exploration.recent.extend(plain.recent_picks)


def restore_live(plain: Plain, arrays: Arrays, live: Live) -> None:
    """Restore the level of what is shown."""
    live.signs.set(arrays["signs"])
    live.line, live.cut, live.best = Line(*plain.live[:3]), plain.live[3], plain.live[4]


def restore_drought(plain: Plain, arrays: Arrays, drought: Drought) -> None:
    """Restore what links to each host get, and what that is reckoned from."""
    # An older state does not tell the hosts of its pages: all are taken to be of the first one.
    hosts = np.full(len(plain.host_names), -1, np.int32)
    drought.hosts.set(arrays.get("pages_hosts", np.zeros(plain.pages, np.int32)))
    drought.named_by.set(arrays.get("named_by", hosts))
    drought.of_hosts = arrays.get("of_hosts", np.zeros(0))
    drought.depth, drought.of_new, drought.since = plain.drought


def _as_bytes(array: np.ndarray) -> tuple[str, tuple[int, ...], memoryview]:
    """Type, shape and content, which is not copied before it is written."""
    return array.dtype.str, array.shape, np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _judge_arrays(judge: Judge) -> Arrays:
    weighed, met = judge.term_weights.nonzero(), np.sort(judge.frequencies.met)
    return {
        **judge.corpus.arrays(),
        "marks": np.array(judge.marks),
        "said": np.array([*judge.said], np.int64),
        "logits": judge.logits.rows,
        "term_buckets": weighed,
        "term_weights": judge.term_weights[weighed],
        "met": met,
        "shares": judge.frequencies.own[met],
        "parent_weights": judge.parent_weights,
        "dual": judge.dual,
    }


def _load_judge(judge: Judge, arrays: Arrays) -> None:
    judge.corpus.set_arrays(arrays)
    judge.marks = arrays["marks"].tolist()
    judge.said = {number: 0.5 + 0.5 * judge.marks[number] for number in arrays["said"].tolist()}
    judge.dual = arrays["dual"]
    judge.logits.set(arrays["logits"])
    judge.frequencies.set_own(arrays["met"], arrays["shares"])
    judge.set_weights(arrays["term_buckets"], arrays["term_weights"], arrays["parent_weights"])


def _link_model_arrays(link_model: LinkModel) -> Arrays:
    return {
        "promises": link_model.promises.rows,
        "relevances": link_model.relevances.rows,
        "ways": link_model.ways.rows,
        "seeds": link_model.seeds.rows,
        "link_weights": link_model.weights,
        "learned": link_model.learned,
    }

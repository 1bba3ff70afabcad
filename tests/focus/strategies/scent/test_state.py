from __future__ import annotations

from msgspec import msgpack

from lagotto.focus.strategies.scent import Scent
from lagotto.focus.topic import Topic
from lagotto.lab.checks.pages import fictional_pages, lease_of


def test_a_snapshot_of_a_version_with_fewer_link_features_can_be_read() -> None:
    strategy, again = (Scent(Topic("birds feathers")) for _ in range(2))
    pages = fictional_pages()
    for page in pages:
        judgement = strategy.judge(page)
        strategy.learn(strategy.sample(page, judgement, lease_of(page)))
    plain, arrays = msgpack.decode(strategy.save())
    for name in ("link_weights", "learned"):
        dtype, (length,), content = arrays[name]
        arrays[name] = dtype, (length - 1,), content[:-8]
    plain.pop()
    again.load(msgpack.encode((plain, arrays)))
    judgement = again.judge(pages[0])
    scores = again.score(pages[0], judgement, lease_of(pages[0]))
    assert scores.values.shape == (len(pages[0].links),)

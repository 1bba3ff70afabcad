from __future__ import annotations

import numpy as np
from msgspec import msgpack
from msgspec.structs import replace

from lagotto.base.hashing import hash_link, hash_page
from lagotto.base.records import Lease, Link, Page
from lagotto.base.urls import checksum
from lagotto.focus.strategies.scent import samples as sampling
from lagotto.focus.strategies.scent.buckets import BUCKETS, buckets
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.strategies.scent.samples import Feedback, PageSample
from lagotto.focus.strategies.scent.strategy import Scent
from lagotto.focus.topic import Topic

PAGE = Page(
    url="http://a.example/x/",
    terms={"heron": 2},
    links=[
        Link(url="http://a.example/x/1", path="body>ul>li>a", anchor_terms=["heron", "bird"]),
        Link(url="http://a.example/x/2", path="body>ul>li>a", anchor_terms=["a"] * 9),
        Link(url="http://a.example/y/1", path="body>p>a"),
        Link(url="http://b.example/x/1", path="body>p>a", context_terms=["heron"]),
    ],
)


def test_links_share_what_they_have_in_common() -> None:
    new = sampling.new_links(PAGE, Judge({"heron": 1.0}))
    assert new.ids.tolist() == [checksum(link.url) for link in PAGE.links]
    assert new.hosts == ["a.example"] * 3 + ["b.example"]
    assert new.places.tolist() == [0, 0, 1, 1]
    assert new.directories[0] == new.directories[1]
    assert len(set(new.directories.tolist())) == 3
    assert new.host_places[0] == new.host_places[1]
    assert len(set(new.host_places.tolist())) == 3


def test_links_are_compared_with_the_words() -> None:
    new = sampling.new_links(PAGE, Judge({"heron": 1.0}))
    anchor, context, _ = new.similarity.T
    assert anchor.argmax() == 0
    assert context.argmax() == 3


def test_anchors_keep_their_first_terms() -> None:
    new = sampling.new_links(PAGE, Judge({"heron": 1.0}))
    assert new.anchors[0].tolist() == [*buckets(["heron", "bird"]), *[BUCKETS] * 4]
    assert new.anchors[1].tolist() == [*buckets(["a"])] * 6
    assert new.anchors[2].tolist() == [BUCKETS] * 6


def test_it_is_the_same_who_hashes_the_terms() -> None:
    strategy = Scent(Topic("heron"))
    lease = Lease(checksum(PAGE.url), PAGE.url, "a.example", depth=1)
    samples = []
    for hashed in (0, 2, 4):
        page = replace(PAGE, links=[replace(link, host="", keys=b"", hashes=b"") for link in PAGE.links])
        for link in page.links[:hashed]:
            hash_link(link)
        if hashed:
            hash_page(page)
        samples.append(strategy.sample(page, strategy.judge(page), lease))
    assert samples[0] == samples[1] == samples[2]


def test_a_sample_holds_all_that_was_read() -> None:
    strategy = Scent(Topic("heron"))
    lease = Lease(checksum(PAGE.url), PAGE.url, "a.example", depth=1)
    judgement = strategy.judge(PAGE)
    scores = strategy.score(PAGE, judgement, lease).values
    sample = sampling.decode(strategy.sample(PAGE, judgement, lease))
    assert isinstance(sample, PageSample)
    _, new, kept = sampling.unpack(sample)
    assert np.allclose(kept, scores)
    given = sampling.new_links(PAGE, Judge({"heron": 1.0}))
    assert given.hosts == new.hosts
    for name in ("ids", "hosts", "directories", "places", "host_places", "similarity", "anchors"):
        assert np.array_equal(getattr(given, name), getattr(new, name)), name


def test_a_mark_without_a_host_can_be_read() -> None:
    assert sampling.decode(msgpack.encode(["f", 7, {"heron": 2}, -1.0])) == Feedback(7, {"heron": 2}, -1.0)


def test_a_page_without_links_can_be_read() -> None:
    new = sampling.new_links(Page(url="http://a.example/"), Judge({"heron": 1.0}))
    assert len(new.ids) == 0
    assert new.anchors.shape[0] == 0

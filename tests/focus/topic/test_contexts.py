from __future__ import annotations

from lagotto.base.records import Link, Page
from lagotto.focus.topic.features import link_contexts, pieces


def test_a_page_in_pieces_as_long_as_a_context() -> None:
    text = " ".join(f"word{n}" for n in range(40))
    cut = pieces(text, size=15)
    # 15 + 15, and the last 10 are more than half a piece
    assert [sum(piece.values()) for piece in cut] == [15, 15, 10]
    assert pieces("too short", size=15) == []
    assert pieces("solar " * 15, size=15) == [{"solar": 15}]


def test_contexts_of_links_to_the_targets() -> None:
    page = Page(
        "http://a.org/",
        links=[
            Link("http://yes.org/", anchor_terms=["solar"], context_terms=["solar", "panel"]),
            Link("http://no.org/", anchor_terms=["goal"]),
            Link("http://bare.org/"),
        ],
    )
    assert link_contexts([page], {"http://yes.org/", "http://bare.org/"}) == [{"solar": 2, "panel": 1}]

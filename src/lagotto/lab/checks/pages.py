"""A handful of fictional pages for contract checks, from ordinary to odd."""

from __future__ import annotations

from lagotto.base.records import Lease, Link, Page
from lagotto.base.text import count_terms, terms
from lagotto.base.urls import canonical, checksum, host_of


def make_page(url: str, title: str, text: str, links: dict[str, str] | None = None) -> Page:
    """A page as the parser would make it; `links` maps href to anchor text."""
    found = []
    for href, anchor in (links or {}).items():
        target = canonical(href, url)
        if target is not None:
            path = target.partition("//")[2].partition("/")[2]
            found.append(
                Link(
                    url=target,
                    anchor=anchor,
                    context=text[:80],
                    path="div.content>p>a",
                    anchor_terms=terms(anchor),
                    context_terms=terms(text[:80]),
                    url_terms=terms(path.replace("/", " ").replace(".html", " ")),
                )
            )
    return Page(
        url=url,
        title=title,
        text=text,
        language="en",
        terms=count_terms(f"{title} {text}"),
        title_terms=terms(title),
        fingerprint=checksum(text or url),
        simhash=checksum(title or url),
        links=found,
    )


def lease_of(page: Page, *, depth: int = 1, parent: str = "http://seed.example/") -> Lease:
    """A lease that could have led to the page."""
    return Lease(
        id=checksum(page.url), url=page.url, host=host_of(page.url), score=0.5, depth=depth, parent=parent
    )


def fictional_pages() -> list[Page]:
    """On topic (birds), off topic, a hub, and pages that try a strategy's patience."""
    birds = "The heron is a bird that wades. Birds such as the eagle have feathers and nest in trees. "
    banks = "A bank lends money at interest. Loans, mortgages and savings are its trade. "
    return [
        make_page(
            "http://birds.example/heron.html",
            "Heron, a wading bird",
            birds * 6,
            {"eagle.html": "the eagle, a bird of prey", "http://money.example/": "our sponsor", "/": "home"},
        ),
        make_page(
            "http://birds.example/eagle.html",
            "Eagle",
            "An eagle is a bird with feathers. " * 8,
            {"heron.html": "heron", "http://birds.example/owl.html": "owls and other birds"},
        ),
        make_page(
            "http://money.example/",
            "Money and banks",
            banks * 8,
            {"loans.html": "loans", "http://birds.example/heron.html": "a bird we like"},
        ),
        make_page(
            "http://hub.example/links.html",
            "Links",
            "Some links. " * 3,
            {f"http://site{number}.example/bird{number}.html": f"bird {number}" for number in range(60)},
        ),
        make_page("http://empty.example/", "", "", {}),
        make_page("http://empty.example/links", "", "", {"/a": "", "/b": ""}),
        make_page("http://odd.example/", "Ünï çødé 鳥類 \x00", "鳥は空を飛ぶ。" * 20, {"/x": "鳥"}),
        make_page("http://long.example/", "Long", "bird " * 20_000, {"/next": "next"}),
    ]

"""What is declared is filled: page facts, columns of tables, figures of a status, reasons.

A fact, column, figure or reason that is declared and that no code fills makes a test fail here.
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click.testing import CliRunner
from msgspec import Struct
from msgspec.structs import asdict, replace

import lagotto
from lagotto.base.facts import OptOut, PageFacts, Use, decode_facts, encode_facts
from lagotto.base.reasons import Reason, Refused
from lagotto.base.views import Status
from lagotto.cli.steer import steer
from lagotto.crawling.revisit.calls import visit_all
from lagotto.crawling.steering.effect import effect_at
from lagotto.harvest.explain import explain
from lagotto.harvest.export.pages import COLUMNS, row_values
from lagotto.store import storage_at
from tests.conftest import PROJECT
from tests.crawling.monitoring.test_monitor import configured
from tests.crawling.test_traps import crawl_traps
from tests.crawling.traps import TrapWeb
from tests.parse.pdfs import make_pdf
from tests.site import Site

SOURCE = PROJECT / "src" / "lagotto"
NOT_TOLD = {"headings"}
"""Facts that search and the topic use, and that nobody is shown."""

STATING = """<html lang=en><head><title>Herons</title>
<meta name=description content="All about herons"><meta name=author content="Ann Lee">
<meta property="article:published_time" content="2024-05-01">
<meta property="article:modified_time" content="2024-06-01">
<meta property="og:site_name" content="Birds"><meta name=tdm-reservation content=1>
<link rel=canonical href="/herons"><link rel=license href="https://creativecommons.org/licenses/by/4.0/">
<script type="application/ld+json">{"@type": "NewsArticle"}</script></head>
<body><h1>Herons</h1><p>The heron is a bird of the pond, and herons eat fish.</p>
<a rel=license href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>
<a href=/long.pdf>herons</a> <a href=/none>more herons</a> <a href=/old>herons of old</a></body></html>"""


async def stating_crawl(directory: Path) -> None:
    """Crawl a site whose pages state all that a page can, and visit it again when it has changed."""
    long = make_pdf([["Herons"]] * 501, info={"Author": "Ann Lee"})
    pages = {
        "/": STATING,
        "/long.pdf": lambda _: web.Response(body=long, content_type="application/pdf"),
        "/old": "<title>Old</title><p>The herons of last year.</p>",
    }
    async with Site(pages) as site:
        config = configured(f"http://{site.hosts[0]}/", topic="heron", strategy="scent", pdf=True)
        async with lagotto.Crawl(config, directory) as crawl:
            await crawl.run()
        site.pages["/"] = STATING.replace("of the pond", "of the lake, which lives there all the year")
        del site.pages["/old"]
        await visit_all(directory)


async def test_every_fact_and_column_is_filled(tmp_path: Path) -> None:
    await stating_crawl(tmp_path)
    storage = storage_at(tmp_path)
    with storage.reader() as reader:
        pages = list(reader.stored_pages())
        facts = [stored.facts for stored in pages if stored.facts is not None]
        rows = [dict(zip(COLUMNS, row_values(stored.row), strict=True)) for stored in pages]
        told = [explain(reader, effect_at(storage), stored.row.url).stated for stored in pages]
    assert unfilled(PageFacts, [asdict(each) for each in facts]) == []
    assert [name for name in COLUMNS if not any(row[name] for row in rows)] == []
    assert any(told), "what a page says of itself is shown where it is explained"


def unfilled(kind: type[Struct], made: list[dict[str, Any]]) -> list[str]:
    """Fields that are empty, or nothing, in all of these."""
    return [name for name in kind.__struct_fields__ if not any(each.get(name) for each in made)]


FULL = PageFacts(
    author="Ann",
    published="2024-05-01",
    modified="2024-06-01",
    canonical="http://a.example/",
    license="http://a.example/terms",
    license_name="Free",
    license_source="meta",
    types=["Article"],
    opengraph={"site_name": "Birds"},
    opt_outs=[OptOut(Use.TDM, "meta")],
    note="the first 3 of 4 pages",
    headings=["Herons"],
)


def test_every_fact_is_told_and_kept() -> None:
    """A fact that is added must be in `FULL`, survive storage, and be told to people."""
    empty = asdict(PageFacts())
    assert unfilled(PageFacts, [asdict(FULL)]) == []
    assert decode_facts(encode_facts(FULL)) == FULL
    without = {name: replace(FULL, **{name: empty[name]}) for name in PageFacts.__struct_fields__}
    assert {name for name, facts in without.items() if facts.told() == FULL.told()} == NOT_TOLD
    assert FULL.columns().keys() <= COLUMNS.keys()
    assert all(FULL.columns().values())


def test_a_fact_that_nobody_fills_or_tells_is_found() -> None:
    class More(PageFacts):
        dummy: str = ""

    assert unfilled(More, [asdict(More(author="Ann"))])[-1] == "dummy"
    assert More(dummy="x").told() == []


async def test_every_figure_of_a_status_is_filled(tmp_path: Path) -> None:
    found = []
    await stating_crawl(tmp_path / "stating")
    found.append(status_of(tmp_path / "stating"))
    async with TrapWeb(["soft-404"]) as traps:
        await crawl_traps(traps, tmp_path / "traps")
    found.append(status_of(tmp_path / "traps"))
    dead = [f"http://127.0.9.9:1/{number}" for number in range(3)]
    links = "".join(f"<a href={url}>herons</a>" for url in (*dead, *(f"/{number}" for number in range(9))))
    pages = {"/": f"<title>Herons</title><p>The heron.</p>{links}"}
    pages |= {
        f"/{number}": f"<p>Page {number} of herons.</p><a href=/x{number}>more</a>" for number in range(9)
    }
    async with Site(pages) as site:
        config = configured(f"http://{site.hosts[0]}/", topic="heron", strategy="priority", max_pages=5)
        async with lagotto.Crawl(replace(config, retries=2, retry_wait=100.0), tmp_path / "shelf") as crawl:
            await crawl.run()
    found.append(status_of(tmp_path / "shelf"))
    run = CliRunner().invoke(steer, [str(tmp_path / "shelf"), "--exclude", "/x?[0-9]"])
    assert run.exit_code == 0, run.output
    found.append(status_of(tmp_path / "shelf"))
    assert unfilled(Status, found) == []


def status_of(directory: Path) -> dict[str, Any]:
    with storage_at(directory).reader() as reader:
        return asdict(reader.status())


@pytest.mark.parametrize("declared", [Reason, Refused])
def test_every_reason_is_given_by_some_code(declared: type[StrEnum]) -> None:
    """A reason that no module names can never be given, and its explanation is never read."""
    own = SOURCE / "base" / "reasons.py"
    source = "\n".join(path.read_text() for path in SOURCE.rglob("*.py") if path != own)
    named = set(re.findall(rf"\b{declared.__name__}\.([A-Z_]+)", source))
    assert [name for name in declared.__members__ if name not in named] == []

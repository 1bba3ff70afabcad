"""Two crawls of one site into one."""

from __future__ import annotations

from pathlib import Path

import pytest

import lagotto
from lagotto.base.errors import LagottoError
from lagotto.base.protocols.storage import Severity
from lagotto.base.records import Reason
from lagotto.base.urls import checksum
from lagotto.crawling.config import from_values
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at
from tests.site import Site

OPTIONS = {"allow_private": ["127.0.0.0/8"], "delay": 0.0, "ip_delay": 0.0, "retries": 0, "parsers": 1}
TEXT = "<p>The heron waits at the edge of the pond for frogs and small fish, as herons have always done.</p>"


def page(name: str, *links: str) -> str:
    anchors = "".join(f'<a href="{link}">more about {link}</a> ' for link in links)
    return f"<html><title>{name}</title><body><h1>{name}</h1>{TEXT}<p>{name * 3}</p>{anchors}</body></html>"


PAGES = {
    "/a": page("alpha", "/shared", "/only-a", "/later", "/waiting"),
    "/b": page("beta", "/shared", "/only-b", "/gone", "/later"),
    "/shared": page("shared", "/deep"),
    "/only-a": page("only alpha"),
    "/only-b": page("only beta"),
    "/waiting": page("waiting"),
}


async def crawl(site: Site, start: str, directory: Path, pages: int, **options: object) -> None:
    seed = f"http://127.0.0.1:{site.port}{start}"
    values = {"topic": "heron pond", "seeds": [seed], "max_pages": pages, "strategy": "best-first"}
    async with Crawl(from_values({**values, **OPTIONS, **options}), directory) as running:
        await running.run()


def urls(directory: Path) -> set[str]:
    with storage_at(directory).reader() as reader:
        return {row.url for row in reader.rows()}


async def two_crawls(site: Site, folder: Path) -> tuple[Path, Path]:
    first, second = folder / "first", folder / "second"
    await crawl(site, "/a", first, 2, concurrency=1)
    await crawl(site, "/b", second, 10, concurrency=1)
    return first, second


async def test_a_merged_crawl_holds_what_both_held(tmp_path: Path) -> None:
    async with Site(PAGES) as site:
        first, second = await two_crawls(site, tmp_path)
        here = f"http://127.0.0.1:{site.port}"
        lagotto.feedback(first, f"{here}/a", on=False)
        lagotto.feedback(second, f"{here}/b", on=True)
        merged = lagotto.merge(first, second, tmp_path / "both")
        storage = storage_at(tmp_path / "both")
        assert {finding.severity for finding in storage.examine()} == {Severity.GOOD}
        with storage.reader() as reader:
            rows = {row.url: row for row in reader.rows(with_text=True)}
            assert set(rows) == urls(first) | urls(second)
            assert merged.pages == len(rows)
            assert merged.both >= 1
            assert rows[f"{here}/gone"].reason == Reason.HTTP_STATUS
            assert (rows[f"{here}/a"].relevant, rows[f"{here}/b"].relevant) == (False, True)
            assert merged.marks == 2
            for stored in reader.stored_pages():
                if stored.is_page:
                    assert stored.place is not None
                    assert reader.body(stored.place).url == stored.row.url
            assert "heron" in (rows[f"{here}/shared"].text or "")
            assert rows[f"{here}/shared"].parent in (f"{here}/a", f"{here}/b")
            targets = dict(reader.link_targets())
            assert (
                checksum(f"{here}/shared").to_bytes(8, "little", signed=True)
                in targets[rows[f"{here}/a"].seq]
            )
            assert [each.link.url for each in reader.waiting_links()]
        async with Crawl.resume(tmp_path / "both", max_pages=100) as running:
            await running.run()
        with storage.reader() as reader:
            fetched = {row.url for row in reader.rows() if row.status == 200}
            assert fetched == {f"{here}{path}" for path in PAGES}
            assert list(reader.waiting_links()) == []


async def test_bad_input_leaves_nothing_behind(tmp_path: Path) -> None:
    async with Site(PAGES) as site:
        first, second = await two_crawls(site, tmp_path)
    for arguments, sentence in [
        ((first, first, tmp_path / "new"), "cannot be merged with itself"),
        ((first, tmp_path / "nowhere", tmp_path / "new"), "there is no crawl in"),
        ((first, second, second), "exists already"),
    ]:
        with pytest.raises(LagottoError, match=sentence):
            lagotto.merge(*arguments)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]

from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.base.errors import DamagedStore
from lagotto.crawling.config import from_values
from lagotto.crawling.histories import history_of_page
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at
from tests.site import Site

OPTIONS = {"allow_private": ["127.0.0.0/8"], "delay": 0.0, "ip_delay": 0.0, "parsers": 1, "max_pages": 1}


async def test_a_page_that_the_store_has_lost_is_damage_and_no_crash(tmp_path: Path) -> None:
    async with Site({"/": '<title>heron</title><a href="/next">a heron</a>', "/next": ""}) as site:
        seed = f"http://127.0.0.1:{site.port}/"
        async with Crawl(from_values({"topic": "heron", "seeds": [seed], **OPTIONS}), tmp_path) as crawl:
            await crawl.run()
    with storage_at(tmp_path).reader() as reader:
        history, page = history_of_page(reader, seed)
        assert (history.path[-1].url, page.title) == (seed, "heron")
        for lost in (f"{seed}never-seen", f"{seed}next"):
            with pytest.raises(DamagedStore, match=f"has lost what belongs to {lost}; check it with"):
                history_of_page(reader, lost)

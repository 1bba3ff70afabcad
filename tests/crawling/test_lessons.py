"""A language model is asked about pages while a crawl runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from lagotto.base.batch import Batch, Mark
from lagotto.base.protocols import Storage
from lagotto.crawling.config import from_values
from lagotto.crawling.teaching import lessons
from lagotto.store import storage_at
from tests.cli.conftest import Run, run
from tests.focus.teaching.model_server import serving, verdict
from tests.servers import demo_served

__all__ = ["run"]

CALLS = 6


@pytest.fixture
def storage(run: Run, tmp_path: Path) -> Storage:
    """A crawl of some pages."""
    with demo_served() as demo:
        options = [*demo.options("truffles"), "-o", "c", "--max-pages", 30]
        assert run("crawl", "truffles mushroom", *options).code == 0
    return storage_at(tmp_path / "c")


async def test_only_the_worker_that_leads_asks_and_earlier_answers_count(storage: Storage) -> None:
    store = await storage.open()
    answered = [row.url for row in store.reader().rows() if row.relevance is not None][:2]
    await store.commit(Batch(marks=[Mark(url, False, "teacher small") for url in answered]))
    await store.close()
    async with serving(lambda asked: verdict(False, "")) as model:
        values = {"topic": "truffles", "max_pages": 30, "allow_private": ["127.0.0.0/8"]}
        teacher = {"teacher": model.url, "teacher_model": "small", "teacher_calls": CALLS}
        config = from_values(values | teacher)

        async def work(leads: bool) -> None:
            with storage.reader() as reader:
                async with lessons(config, storage, reader, lambda: 30, lambda: leads, None):
                    await asyncio.Event().wait()

        workers = [asyncio.create_task(work(leads)) for leads in (False, True)]
        async with asyncio.timeout(60):
            while len(model.asked) < CALLS - len(answered):
                await asyncio.sleep(0.05)
        for each in workers:
            each.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        assert len(model.asked) == CALLS - len(answered)
        asked = {line for each in model.asked for line in str(each).split() if line in answered}
        assert not asked, "pages that are marked are not asked about"

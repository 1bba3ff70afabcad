"""Every declared metric takes a value in some real crawl; one that nothing fills fails here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aiohttp import web

import lagotto
from lagotto.base.events import CommandTaken, PageDone
from lagotto.crawling.monitoring import Figures, figures_of
from lagotto.crawling.monitoring.metrics import METRICS, render
from lagotto.crawling.revisit.calls import visit_all
from lagotto.crawling.steering.commands import Pause, Unpause
from lagotto.crawling.steering.effect import send
from lagotto.store import storage_at
from tests.crawling.monitoring.test_monitor import configured
from tests.site import Site


async def test_every_metric_takes_a_value(tmp_path: Path) -> None:
    seen: list[Figures] = []
    crawls: list[lagotto.Crawl] = []
    busy = 0

    def look(text: str) -> Any:
        def answer(_: web.BaseRequest) -> web.Response:
            seen.extend(crawl.figures() for crawl in crawls)
            return web.Response(text=text, content_type="text/html")

        return answer

    def answer_busy(_: web.BaseRequest) -> web.Response:
        nonlocal busy
        busy += 1
        return web.Response(status=503, headers={"Retry-After": "1"}, text="later")

    async with Site({}, addresses=["127.0.0.1", "127.0.0.2"]) as site:
        first, second = site.hosts
        links = f'<a href="http://{second}/busy">herons</a> <a href=/none>herons</a> <a href=/old>herons</a>'
        site.pages |= {
            "/": look(f"<title>Herons</title><p>Herons, and other birds.</p><p>{links}</p>"),
            "/old": look("<title>Old herons</title><p>The herons of last year.</p>"),
            "/busy": answer_busy,
        }
        config = configured(f"http://{first}/", topic="heron", retries=1)
        async with lagotto.Crawl(config, tmp_path) as crawl:
            crawls.append(crawl)
            async for event in crawl:
                with crawl.storage.reader() as reader:
                    seen += [crawl.figures(), figures_of(reader.status(), running=True)]
                if isinstance(event, PageDone) and not any(figures.paused for figures in seen):
                    send(crawl.storage, [Pause()])
                elif isinstance(event, CommandTaken) and crawl.paused:
                    send(crawl.storage, [Unpause()])
        crawls.clear()
        site.pages["/"] = f"<title>Egrets</title><p>Egrets have come in the place of the birds.</p>{links}"
        del site.pages["/old"]
        await visit_all(tmp_path)
    with storage_at(tmp_path).reader() as reader:
        seen.append(figures_of(reader.status(), running=False))
    assert busy == 2
    assert untold(seen) == []
    assert {figures.running for figures in seen} == {True, False}


def untold(seen: list[Figures]) -> list[str]:
    """Metrics that were never more than nothing, in the text that Prometheus reads."""
    lines = [line for figures in seen for line in render({"c": figures}).splitlines() if line[0] != "#"]
    filled = {line.partition("{")[0] for line in lines if float(line.rpartition(" ")[2]) > 0}
    return [metric.name for metric in METRICS.values() if f"lagotto_{metric.name}" not in filled]


def test_a_metric_that_nothing_fills_is_found() -> None:
    nothing: dict[str, Any] = dict.fromkeys(METRICS, 0) | {"reasons": {}, "running": True}
    filled = METRICS["running"].name
    assert untold([Figures(**nothing)]) == [each.name for each in METRICS.values() if each.name != filled]

"""What can be seen of a crawl while it runs."""

from __future__ import annotations

import time
from importlib.metadata import version

from lagotto.base.records import Lease
from lagotto.crawling.frontier import Hosts, Wait
from lagotto.crawling.monitoring import Figures
from lagotto.crawling.monitoring.webhook import Ending
from lagotto.crawling.worker.statistics import Statistics
from lagotto.crawling.worker.worker import Worker
from lagotto.parse.pool import ParserPool


class LiveFigures:
    """The figures of a running crawl; a crawl that is not open yet has none."""

    def __init__(self) -> None:
        self.statistics = Statistics()
        self.why = ""
        """Why the crawl ended, once it has."""
        self._opened_at = time.monotonic()
        self._worker: Worker | None = None
        self._hosts = Hosts()
        self._parser: ParserPool | None = None

    @property
    def paused(self) -> bool:
        """Whether the crawl is paused."""
        return self._worker is not None and self._worker.paused

    @property
    def frontier_size(self) -> int:
        """Links known and not concluded."""
        return self.statistics.known - self.statistics.concluded

    def figures(self) -> Figures:
        """What the metrics show of the running crawl."""
        stats = self.statistics
        return Figures(
            running=True,
            paused=self.paused,
            pages=stats.pages,
            relevant=stats.relevant,
            bytes=stats.bytes,
            known=stats.known,
            concluded=stats.concluded,
            reasons=dict(stats.reasons),
            queued=self.frontier_size,
            in_flight=self.in_flight,
            hosts_waiting=len(self.waits()),
            recent_harvest=stats.recent_harvest_ratio,
        )

    @property
    def hosts(self) -> int:
        """Hosts with links in the frontier."""
        return self._worker.frontier.hosts if self._worker else 0

    @property
    def requests(self) -> int:
        """Requests of all kinds, as `--max-requests` counts them; of earlier runs, the concluded URLs."""
        return self._worker.visitor.requests if self._worker else 0

    @property
    def in_flight(self) -> int:
        """Links leased and not committed."""
        return self._worker.frontier.in_flight if self._worker else 0

    @property
    def full_patterns(self) -> dict[str, int]:
        """URL shapes and sites that have given enough -> links refused since, most first."""
        return self._worker.conclusions.full_patterns() if self._worker else {}

    @property
    def traps(self) -> dict[str, int]:
        """Traps that were recognised, each as a sentence -> links refused because of it, most first."""
        return self._worker.conclusions.traps() if self._worker else {}

    @property
    def full_hosts(self) -> list[str]:
        """Hosts that have given all the pages they may."""
        return self._hosts.full()

    def waits(self) -> list[Wait]:
        """Hosts that are left alone because they failed or asked for it, the shortest wait first."""
        return self._hosts.waits(time.monotonic())

    @property
    def parser_deaths(self) -> dict[str, int]:
        """How parser processes died in this run, other than killed by the pool -> how often."""
        return dict(self._parser.deaths) if self._parser else {}

    def outlook(self) -> dict[str, float]:
        """How the crawl is doing by the strategy's own judgement; empty if the strategy has none."""
        return self._worker.memory.outlook() if self._worker else {}

    def best_link(self) -> Lease | None:
        """A link that comes next; None if every host must wait, or nothing is known yet."""
        return self._worker.frontier.best() if self._worker else None

    def ending(self, location: str, topic: str, error: BaseException | None) -> Ending:
        """What the webhook is told at the end."""
        failed = "" if error is None else str(error) or "stopped at once"
        return Ending(
            event="failed" if failed else "finished",
            crawl=location,
            topic=topic,
            why=failed or self.why,
            pages=self.statistics.pages,
            relevant=self.statistics.relevant,
            harvest_ratio=self.statistics.harvest_ratio,
            queued=self.frontier_size,
            seconds=round(time.monotonic() - self._opened_at, 3),
            version=version("lagotto"),
        )

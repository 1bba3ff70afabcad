"""Watching a crawl from outside: metrics for Prometheus, events as JSON lines, a webhook at the end.

`monitor.Monitor` says what is wanted; `metrics.render` gives the metrics of any crawl that can be read.
"""

from lagotto.crawling.monitoring.metrics import CONTENT_TYPE, Figures, figures_of, render
from lagotto.crawling.monitoring.monitor import Monitor

__all__ = ["CONTENT_TYPE", "Figures", "Monitor", "figures_of", "render"]

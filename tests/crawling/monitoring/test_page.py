"""docs/monitoring.md names every metric, every event and every field of the webhook's message."""

from __future__ import annotations

import typing

import pytest

from lagotto.crawling.monitoring.metrics import METRICS
from lagotto.crawling.monitoring.webhook import Ending
from lagotto.crawling.worker.events import Event
from tests.conftest import PROJECT

PAGE = (PROJECT / "docs" / "monitoring.md").read_text()


@pytest.mark.parametrize("metric", [metric.name for metric in METRICS.values()])
def test_every_metric_is_documented(metric: str) -> None:
    assert f"`lagotto_{metric}" in PAGE


@pytest.mark.parametrize("kind", [event.__struct_config__.tag for event in typing.get_args(Event)])
def test_every_event_is_documented(kind: str) -> None:
    assert f"\n| `{kind}` | " in PAGE


def test_every_field_of_the_message_is_shown() -> None:
    assert [name for name in Ending.__struct_fields__ if f'    "{name}": ' not in PAGE] == []

from __future__ import annotations

import pytest

from lagotto.crawling.assembly import in_haste
from lagotto.crawling.config import Config


@pytest.mark.parametrize("options", [{"patience": 0.0}, {"max_time": 60.0}, {"concurrency": 1000}])
def test_workers_do_not_wait_for_each_other_where_time_matters(options: dict[str, float]) -> None:
    assert in_haste(Config(**options))  # type: ignore[arg-type]


def test_workers_keep_the_order_of_links_otherwise() -> None:
    assert not in_haste(Config(max_pages=100))

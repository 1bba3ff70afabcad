"""Numpy computes in one thread while a crawl is open, and as before after it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from lagotto.crawling.config import Config
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.process import one_numpy_thread


def threads() -> set[int]:
    """Threads of each library for linear algebra that is loaded."""
    assert np.ones(2).sum() == 2.0
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_one_thread_inside_and_as_before_outside() -> None:
    with threadpool_limits(2, user_api="blas"):
        with one_numpy_thread():
            assert threads() == {1}
        assert threads() == {2}


def test_it_is_so_after_a_failure_too() -> None:
    with threadpool_limits(2, user_api="blas"):
        with pytest.raises(KeyError), one_numpy_thread():
            raise KeyError
        assert threads() == {2}


def test_of_two_crawls_the_last_one_takes_the_limit_back() -> None:
    with threadpool_limits(2, user_api="blas"):
        first, second = one_numpy_thread(), one_numpy_thread()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert threads() == {1}
        second.__exit__(None, None, None)
        assert threads() == {2}


async def test_an_open_crawl_computes_in_one_thread(tmp_path: Path) -> None:
    config = Config(topic="birds", seeds=["http://a.example/"], parsers=1)
    with threadpool_limits(2, user_api="blas"):
        async with Crawl(config, tmp_path / "c"):
            assert threads() == {1}
        assert threads() == {2}

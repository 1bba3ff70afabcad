"""Metrics as Prometheus reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.crawling.monitoring import Figures, figures_of, render
from lagotto.store import storage_at
from tests.harvest.export import shelf

parser = pytest.importorskip("prometheus_client.parser", reason="prometheus-client is not installed")


def figures(**values: object) -> Figures:
    usual = {"running": True, "pages": 3, "relevant": 2, "bytes": 10**15 + 1, "known": 9, "concluded": 4}
    return Figures(**usual | {"reasons": {}, "queued": 5} | values)  # type: ignore[arg-type]


def read(text: str) -> dict[tuple[str, str, str], float]:
    """(name, crawl, reason) -> value."""
    return {
        (sample.name, sample.labels["crawl"], sample.labels.get("reason", "")): sample.value
        for family in parser.text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_prometheus_reads_a_crawl_from_its_reader(tmp_path: Path) -> None:
    shelf.make(tmp_path / "crawl")
    with storage_at(tmp_path / "crawl").reader() as reader:
        text = render({"birds": figures_of(reader.status(), running=False)})
    found = read(text)
    assert found["lagotto_pages_total", "birds", ""] == 5
    assert found["lagotto_relevant_pages", "birds", ""] == 3
    assert found["lagotto_urls_without_page_total", "birds", "http-status 404"] == 1
    assert found["lagotto_running", "birds", ""] == 0
    assert not [name for name, _, _ in found if "in_flight" in name]


def test_kinds_and_help_are_told() -> None:
    text = render({"a": figures()})
    families = {family.name: family for family in parser.text_string_to_metric_families(text)}
    assert families["lagotto_pages"].type == "counter"
    assert families["lagotto_urls_queued"].type == "gauge"
    assert all(family.documentation.endswith(".") for family in families.values())


def test_several_crawls_share_a_family() -> None:
    text = render({"a": figures(), "b": figures(pages=7, reasons={"timeout": 2})})
    assert text.count("# TYPE lagotto_pages_total ") == 1
    found = read(text)
    assert (found["lagotto_pages_total", "a", ""], found["lagotto_pages_total", "b", ""]) == (3, 7)
    assert found["lagotto_bytes_total", "a", ""] == 10**15 + 1


def test_names_of_crawls_are_quoted() -> None:
    name = 'a "b"\\\n{}'
    found = read(render({name: figures(reasons={name: 1})}))
    assert found["lagotto_urls_without_page_total", name, name] == 1


def test_no_crawl_has_no_metrics() -> None:
    assert render({}) == ""

"""The report of a comparison: one HTML page, pictures, and tables as CSV and Markdown."""

from __future__ import annotations

from pathlib import Path

from lagotto.lab.experiments.results import Comparison
from lagotto.lab.report.page import headline, page, unlabelled_note
from lagotto.lab.report.pictures import draw_pictures
from lagotto.lab.report.tables import Table, csv_text, markdown_text
from lagotto.lab.report.tabulate import tables_of, tables_only_as_csv
from lagotto.lab.webs.web import input_errors

__all__ = ["Table", "headline", "tables_of", "unlabelled_note", "write_report"]

PAGE = "report.html"


def write_report(comparison: Comparison, folder: Path) -> Path:
    """Write the report into a folder; returns the HTML page."""
    with input_errors(f"cannot write the report to {folder}"):
        (folder / "tables").mkdir(parents=True, exist_ok=True)
        for protocol in comparison.protocols:
            shown = tables_of(comparison, protocol)
            for table in [*shown, *tables_only_as_csv(comparison, protocol)]:
                path = folder / "tables" / f"{protocol}-{table.name}.csv"
                path.write_text(csv_text(table), encoding="utf-8")
            text = "\n".join([f"{headline(comparison, protocol)}\n", *map(markdown_text, shown)])
            (folder / f"tables-{protocol}.md").write_text(text, encoding="utf-8")
        draw_pictures(comparison, folder / "pictures")
        (folder / PAGE).write_text(page(comparison), encoding="utf-8")
    return folder / PAGE

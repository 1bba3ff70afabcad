"""Tables as they are written: CSV in full, Markdown and HTML rounded for people."""

from __future__ import annotations

import csv
from html import escape
from io import StringIO
from typing import NamedTuple

Cell = str | int | float | None


class Column(NamedTuple):
    """A column; numbers are rounded to its decimals."""

    title: str
    decimals: int = 3
    best: str = ""
    """Whether the largest (`max`) or the smallest (`min`) figure is set in bold."""


class Table(NamedTuple):
    """A table under a name that files can have."""

    name: str
    title: str
    note: str
    columns: list[Column]
    rows: list[list[Cell]]


def csv_text(table: Table) -> str:
    """The table in full precision."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.title for column in table.columns])
    writer.writerows([["" if cell is None else cell for cell in row] for row in table.rows])
    return out.getvalue()


def markdown_text(table: Table) -> str:
    """The table for a document."""
    best = best_rows(table)
    lines = [
        f"### {_marked(table.title)}",
        "",
        table.note,
        "",
        "| " + " | ".join(_marked(column.title) for column in table.columns) + " |",
        "|" + "|".join("---" if place == 0 else "---:" for place in range(len(table.columns))) + "|",
    ]
    for number, row in enumerate(table.rows):
        cells = [_marked(shown(cell, column)) for cell, column in zip(row, table.columns, strict=True)]
        cells = [f"**{cell}**" if number in best[place] else cell for place, cell in enumerate(cells)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def html_text(table: Table) -> str:
    """The table for a page."""
    best = best_rows(table)
    head = "".join(f"<th scope=col>{escape(column.title)}</th>" for column in table.columns)
    body = []
    for number, row in enumerate(table.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            text = escape(shown(cell, column))
            if place == 0:
                cells.append(f"<th scope=row>{text}</th>")
            else:
                mark = " class=best" if number in best[place] else ""
                cells.append(f"<td{mark}>{text}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f"<figure class=table><figcaption><b>{escape(table.title)}</b> {escape(table.note)}</figcaption>"
        f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
        "</figure>"
    )


def shown(cell: Cell, column: Column) -> str:
    """A cell as a person reads it."""
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.{column.decimals}f}"


def best_rows(table: Table) -> list[set[int]]:
    """For each column the rows whose figure is the best, as it is shown; the oracle does not compete."""
    found: list[set[int]] = []
    for place, column in enumerate(table.columns):
        figures = {
            number: round(cell, column.decimals)
            for number, row in enumerate(table.rows)
            if row[0] != "oracle" and isinstance(cell := row[place], int | float)
        }
        if not column.best or not figures:
            found.append(set())
            continue
        best = max(figures.values()) if column.best == "max" else min(figures.values())
        found.append({number for number, figure in figures.items() if figure == best})
    return found


def _marked(text: str) -> str:
    """Text in which nothing is taken for Markdown."""
    return "".join(f"\\{character}" if character in "\\`*_|[]<>#" else character for character in text)

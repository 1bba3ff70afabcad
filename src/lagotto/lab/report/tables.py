"""Tables as they are written: CSV in full, Markdown and HTML rounded for people."""

from __future__ import annotations

import csv
import re
from html import escape
from io import StringIO
from typing import NamedTuple

Cell = str | int | float | None


FEW = 2
"""The best figure is set in bold if at most so many rows share it."""


class Column(NamedTuple):
    """A column; numbers are rounded to its decimals."""

    title: str
    decimals: int = 3
    best: bool = False
    """Whether the largest figure is set in bold."""
    text: bool = False


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
    writer.writerows([["" if cell is None or cell != cell else cell for cell in row] for row in table.rows])
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
        "|" + "|".join("---" if column.text else "---:" for column in table.columns) + "|",
    ]
    for number, row in enumerate(table.rows):
        cells = [_marked(shown(cell, column)) for cell, column in zip(row, table.columns, strict=True)]
        cells = [f"**{cell}**" if number in best[place] else cell for place, cell in enumerate(cells)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def html_text(table: Table) -> str:
    """The table for a page."""
    best = best_rows(table)
    kinds = [" class=text" if column.text else "" for column in table.columns]
    titles = (_breakable(column.title) for column in table.columns)
    head = "".join(f"<th scope=col{kind}>{title}</th>" for kind, title in zip(kinds, titles, strict=True))
    body = []
    for number, row in enumerate(table.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            text = escape(shown(cell, column))
            if place == 0:
                cells.append(f"<th scope=row class=text>{text}</th>")
            else:
                mark = " class=best" if number in best[place] else kinds[place]
                cells.append(f"<td{mark}>{text}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f"<figure class=table><figcaption><b>{escape(table.title)}</b> {escape(table.note)}</figcaption>"
        f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
        "</figure>"
    )


def _breakable(title: str) -> str:
    """A title that may be broken where names are joined."""
    return re.sub(r"(?<=[._/:])", "<wbr>", escape(title)) if " " not in title else escape(title)


def shown(cell: Cell, column: Column) -> str:
    """A cell as a person reads it."""
    if cell is None or cell != cell:  # Not a number: the figure does not exist.
        return "-"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.{column.decimals}f}"


def best_rows(table: Table) -> list[set[int]]:
    """For each column the rows with the largest figure, as it is shown; the oracle does not compete."""
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
        largest = max(figures.values())
        best = {number for number, figure in figures.items() if figure == largest}
        found.append(best if len(best) <= FEW else set())
    return found


def _marked(text: str) -> str:
    """Text in which nothing is taken for Markdown."""
    return "".join(f"\\{character}" if character in "\\`*_|[]<>#" else character for character in text)

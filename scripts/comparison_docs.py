"""Write docs/comparison.md and its pictures from the output folder of `make lab`, given as argument.

Parts that were not run stay in the page as they are.
"""

from __future__ import annotations

import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parent.parent / "docs"
HEAD = """# Strategies compared

Made by `make lab` and `scripts/comparison_docs.py`; [lab.md](lab.md) says how to read it, and how to do the
same on another web. Labels come from the webs' editors; no strategy saw one, except for the marks of
simulated teachers. The thresholds of the papers' systems and the default strategy were chosen on these very
topics, so the figures flatter them all a little. CPU times were taken on a shared machine of two cores:
compare them with each other, not with yours. Parts are run one by one, so each has its date.
"""
PAGE = DOCS / "comparison.md"
WEBS = {
    "wikischools": "An encyclopedia on one host; labels are its own subject tree. 500 pages a crawl.",
    "debdocs": "Documentation of Debian packages on 1,279 hosts; labels are by site. 2,000 pages a crawl.",
}
PICTURES = {
    "shares": "Share of the oracle's harvest by strategy, with intervals",
    "curves": "Relevant pages found against pages fetched, mean over topics",
    "topics": "The same, topic by topic",
    "reliability": "Relevance against the share on topic",
    "learning": "What marks bring, by their number",
}


class Part(NamedTuple):
    """A part of a web's section: one report of the lab."""

    folder: str
    """What follows the web's name in the folder's."""
    protocol: str
    title: str
    pictures: tuple[str, ...]
    tables: tuple[str, ...] = ()
    """Titles of the tables to show; all if none is named."""


HARVEST = ("shares", "curves", "topics", "reliability")
PARTS = (
    Part("", "words", "given words and seeds", HARVEST),
    Part("", "examples", "given 50 pages on and 50 off the topic as well", HARVEST),
    Part("-more", "words", "further topics, given words and seeds", HARVEST),
    Part(
        "-encoder",
        "words",
        "scent on all topics with an encoder, and on absent topics",
        ("shares", "reliability"),
        ("All measures", "Final verdicts", "The recall estimate", "Absent topics", "What marks bring"),
    ),
    Part("-marks", "words", "scent on all topics with marks", ("learning",), ("What marks bring",)),
)


def main(folder: Path) -> None:
    """Write the page from the reports in a folder, and from what it has of the others."""
    known = sections(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    parts = {f"{web}, {part.title}": (web, part) for web in WEBS for part in PARTS}
    run = {title: (*of, _tables(folder, *of)) for title, of in parts.items()}
    absent = [title for title, (_, _, tables) in run.items() if not tables.exists() and title not in known]
    text = [HEAD, f"Not run for this page: {'; '.join(absent)}.\n"] if absent else [HEAD]
    (DOCS / "pictures").mkdir(exist_ok=True)
    for web, about in WEBS.items():
        text.append(f"## {web}\n\n{about}\n")
        for title, (of_web, part, tables) in run.items():
            if of_web != web:
                continue
            if tables.exists():
                text.append(f"### {title}\n\nRun on {_date(tables)}.\n")
                text += section(f"comparison-{web}{part.folder}-{part.protocol}", part, tables)
            elif title in known:
                text.append(known[title])
    PAGE.write_text("\n".join(text), encoding="utf-8")


def sections(page: str) -> dict[str, str]:
    """Title of a part -> its text in the page, heading included."""
    found = re.split(r"^(?=##{1,2} )", page, flags=re.MULTILINE)
    return {
        text.partition("\n")[0].removeprefix("### "): text.rstrip() + "\n"
        for text in found
        if text.startswith("### ")
    }


def _date(file: Path) -> str:
    return datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat()


def _tables(folder: Path, web: str, part: Part) -> Path:
    return folder / f"{web}{part.folder}" / f"tables-{part.protocol}.md"


def section(name: str, part: Part, report_tables: Path) -> list[str]:
    """Headline, pictures, tables."""
    headline, *tables = re.split(r"^### ", report_tables.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [f"**{headline.strip()}**\n"]
    for picture in part.pictures:
        drawn = report_tables.parent / "pictures" / f"{part.protocol}-{picture}.svg"
        if drawn.exists():
            copy = f"{name}-{picture}.svg"
            shutil.copy(drawn, DOCS / "pictures" / copy)
            lines.append(f"![{PICTURES[picture]}](pictures/{copy})\n")
    wanted = [table for table in tables if not part.tables or table.startswith(part.tables)]
    return [*lines, *(f"#### {_without_stop(table)}" for table in wanted)]


def _without_stop(table: str) -> str:
    """A table whose title has no full stop."""
    title, line, rest = table.partition("\n")
    return title.rstrip(".") + line + rest


if __name__ == "__main__":
    main(Path(sys.argv[1]))

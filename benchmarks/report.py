"""Write docs/performance.md and its pictures from the results in bench-output.

    python benchmarks/report.py

Every figure on that page comes from a run; its text is in performance.in.md.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from figures import Figures, Table, load
from measuring import OUTPUT, PROJECT

DOCS = PROJECT / "docs"
TEMPLATE = Path(__file__).with_name("performance.in.md")
BENCHMARKS = ("throughput", "store", "follow", "hosts", "patience", "growth", "start")


def main() -> None:
    """Write the page, if every benchmark has been run."""
    found = {name: largest_store() if name == "store" else load(name) for name in BENCHMARKS}
    missing = [name for name, figures in found.items() if figures is None]
    if missing:
        sys.exit(f"docs/performance.md is left as it is: there are no figures of {', '.join(missing)}")
    runs = {name: figures for name, figures in found.items() if figures is not None}
    summary = summary_of(runs.values()).markdown()
    print(summary, flush=True)
    parts = {name: section(figures) for name, figures in runs.items()}
    parts |= {"summary": summary, "machine": made_on(runs.values())}
    page = re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], TEMPLATE.read_text("utf-8"))
    (DOCS / "performance.md").write_text(page, "utf-8")


def largest_store() -> Figures | None:
    """The run with the most pages."""
    sizes = [int(path.stem.partition("-")[2]) for path in OUTPUT.glob("store-*.json")]
    return load(f"store-{max(sizes)}") if sizes else None


def summary_of(runs: Iterable[Figures]) -> Table:
    """All aims in one table."""
    return Table(
        "What was aimed at, and what was found",
        ["", "aim", "found", "reached"],
        [aim.row() for figures in runs for aim in figures.aims],
    )


def section(figures: Figures) -> str:
    """Tables, words and pictures of one benchmark, and the command that gives them."""
    parts = [*(table.markdown() for table in figures.tables), " ".join(figures.sentences)]
    for picture in figures.pictures:
        shutil.copy(OUTPUT / picture.file, DOCS / "pictures" / picture.file)
        parts.append(f"![{picture.caption}](pictures/{picture.file})\n\n{picture.caption}.")
    took = f"{figures.seconds:,.0f} s, load average {figures.load:g} when it began"
    parts.append(f"`{figures.command}`, {figures.date}, {took}")
    return "\n\n".join(parts)


def made_on(runs: Iterable[Figures]) -> str:
    """Machines and versions, those of all runs."""
    machines: dict[str, None] = {}
    versions: dict[str, dict[str, None]] = {}
    for figures in runs:
        machines[figures.machine] = None
        for name, version in figures.versions.items():
            versions.setdefault(name, {})[version] = None
    rows = [[name, ", ".join(each)] for name, each in versions.items()]
    return Table("; ".join(machines), ["", "version"], rows).markdown()


if __name__ == "__main__":
    main()

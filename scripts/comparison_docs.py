"""Write docs/comparison.md and its pictures from the output folder of `make lab`, given as argument."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
HEAD = """# Strategies compared

Made by `make lab` and `scripts/comparison_docs.py`; [lab.md](lab.md) says how to read it, and how to do the
same on another web. Labels come from the webs' editors; no strategy saw one. The thresholds of the papers'
systems and the default strategy were chosen on these very topics, so the figures flatter them all a little.
CPU times were taken on a shared machine of two cores: compare them with each other, not with yours.
"""
WEBS = {
    "wikischools": "An encyclopedia on one host; labels are its own subject tree. 500 pages a crawl, "
    "3 draws of seeds.",
    "debdocs": "Documentation of Debian packages on 1,279 hosts; labels are by site. 2,000 pages a crawl, "
    "seeds as given.",
}
PROTOCOLS = {"words": "given words and seeds", "examples": "given 50 pages on and 50 off the topic as well"}
PICTURES = {
    "shares": "Share of the oracle's harvest by strategy, with intervals",
    "curves": "Relevant pages found against pages fetched, mean over topics",
    "topics": "The same, topic by topic",
}


def main(folder: Path) -> None:
    """Write the page from the reports in a folder."""
    text = [HEAD]
    (DOCS / "pictures").mkdir(exist_ok=True)
    for web, about in WEBS.items():
        text.append(f"## {web}\n\n{about}\n")
        for protocol, given in PROTOCOLS.items():
            tables = folder / web / f"tables-{protocol}.md"
            if tables.exists():
                text.append(f"### {web}, {given}\n")
                text += section(web, protocol, folder / web / "pictures", tables.read_text(encoding="utf-8"))
    (DOCS / "comparison.md").write_text("\n".join(text), encoding="utf-8")


def section(web: str, protocol: str, pictures: Path, tables: str) -> list[str]:
    """Headline, pictures, tables."""
    headline, _, rest = tables.partition("\n\n")
    lines = [f"**{headline.strip()}**\n"]
    for name, title in PICTURES.items():
        file = f"comparison-{web}-{protocol}-{name}.png"
        shutil.copy(pictures / f"{protocol}-{name}.png", DOCS / "pictures" / file)
        lines.append(f"![{title}](pictures/{file})\n")
    return [*lines, re.sub(r"^### (.*?)\.?$", r"#### \1", rest, flags=re.MULTILINE)]


if __name__ == "__main__":
    main(Path(sys.argv[1]))

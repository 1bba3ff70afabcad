"""Make a small labelled web in German and one in French from Debian's translated documentation.

    python scripts/make_translated_webs.py FOLDER [--languages de fr]

Downloads the packages with `apt-get download`, unpacks them, and writes FOLDER/LANGUAGE with
`pages.jsonl.zst`, `labels.csv` and `topics.json`, as `lagotto lab compare` takes them. A page's label is
the part of the documentation that it is from, so nobody had to read it. Each manual is a host of its
own; one index page links to the first pages of each manual.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lagotto.base.zstd import compress

INDEX = "http://index.example/"


class Manual(NamedTuple):
    """A manual in a package: where its pages lie, and what they are about."""

    host: str
    package: str
    folder: str
    """Folder of its pages inside the package; {0} stands for the language."""
    first: tuple[str, ...]
    """Pages that the index links to, by their paths below the folder."""
    topics: tuple[tuple[str, str], ...]
    """Pattern of a page's path -> topic; pages that match none have no label."""
    suffix: str = ".html"


OFFICE_PARTS = (
    *(f"{part}/main0000" for part in ("swriter", "scalc", "simpress", "sdraw", "smath", "schart")),
    "sbasic/shared/main0601",
)
OFFICE = (("scalc/", "spreadsheets"), ("sbasic/", "programming"), ("simpress/", "presentations"))
MANUALS = (
    Manual(
        "office.example",
        "libreoffice-help-{0}",
        "usr/share/libreoffice/help",
        tuple(f"{{0}}/text/{part}.html" for part in OFFICE_PARTS),
        OFFICE,
    ),
    Manual(
        "images.example", "gimp-help-{0}", "usr/share/gimp/2.0/help/{0}", ("index.html",), (("", "images"),)
    ),
    Manual(
        "music.example",
        "lilypond-doc-html-{0}",
        "usr/share/doc/lilypond/html/Documentation",
        ("web/index.{0}.html",),
        (("", "music"),),
        ".{0}.html",
    ),
    Manual(
        "install.example",
        "installation-guide-amd64",
        "usr/share/doc/installation-guide-amd64/{0}",
        ("index.html",),
        (("", "installation"),),
    ),
    Manual(
        "handbook.example", "debian-handbook", "usr/share/doc/debian-handbook/html/{0}", ("index.html",), ()
    ),
    Manual(
        "reference.example",
        "debian-reference-{0}",
        "usr/share/debian-reference",
        ("index.{0}.html",),
        (),
        ".{0}.html",
    ),
)
WORDS = {
    "de": {
        "spreadsheets": "Tabellenkalkulation Zellen Formeln",
        "programming": "Makros Programmierung Basic",
        "presentations": "Präsentation Folien",
        "images": "Bildbearbeitung Ebenen Pinsel",
        "music": "Notensatz Noten Musik",
        "installation": "Installation Partitionierung Installer",
    },
    "fr": {
        "spreadsheets": "tableur cellules formules",
        "programming": "macros programmation Basic",
        "presentations": "présentation diapositives",
        "images": "retouche images calques pinceau",
        "music": "partition musique notes",
        "installation": "installation partitionnement installateur",
    },
}


class WebPage(NamedTuple):
    """A page with its label, which may be empty."""

    url: str
    html: str
    topic: str


def fetch_packages(folder: Path, language: str) -> None:
    """Download and unpack the packages that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in dict.fromkeys(manual.package.format(language) for manual in MANUALS):
        unpacked = folder / package
        if unpacked.exists():
            continue
        subprocess.run(["apt-get", "download", package], cwd=folder, check=True, capture_output=True)
        archive = next(folder.glob(f"{package}_*.deb"))
        subprocess.run(["dpkg-deb", "-x", str(archive), str(unpacked)], check=True)


def pages_of(manual: Manual, packages: Path, language: str) -> Iterator[WebPage]:
    """The pages of a manual under its host."""
    folder = packages / manual.package.format(language) / manual.folder.format(language)
    for path in sorted(folder.rglob(f"*{manual.suffix.format(language)}")):
        place = path.relative_to(folder).as_posix()
        html = path.read_text(encoding="utf-8", errors="replace")
        topic = next((topic for pattern, topic in manual.topics if pattern in place), "")
        yield WebPage(f"http://{manual.host}/{place}", html, topic)


def index_page(language: str) -> WebPage:
    """A page that links to the first pages of each manual."""
    links = (
        f'<li><a href="http://{manual.host}/{first.format(language)}">{manual.host}</a></li>'
        for manual in MANUALS
        for first in manual.first
    )
    html = f'<html lang="{language}"><title>Index</title><body><ul>{"".join(links)}</ul></body></html>'
    return WebPage(INDEX, html, "")


def make_web(folder: Path, packages: Path, language: str) -> int:
    """Write one web; returns how many pages it has."""
    pages = {INDEX: index_page(language)}
    for manual in MANUALS:
        pages |= {page.url: page for page in pages_of(manual, packages, language)}
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps({"url": page.url, "html": page.html}) for page in pages.values())
    packed = compress("\n".join(lines).encode(), level=10)
    (folder / "pages.jsonl.zst").write_bytes(packed)
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(("url", "topic"))
        writer.writerows((page.url, page.topic) for page in pages.values() if page.topic)
    topics = {
        topic: {"words": words, "seeds": [INDEX], "language": language}
        for topic, words in WORDS[language].items()
    }
    (folder / "topics.json").write_text(json.dumps(topics, indent=2, ensure_ascii=False), encoding="utf-8")
    return len(pages)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--languages", nargs="+", choices=sorted(WORDS), default=sorted(WORDS))
    asked = parser.parse_args()
    for language in asked.languages:
        packages = asked.folder / "packages" / language
        fetch_packages(packages, language)
        count = make_web(asked.folder / language, packages, language)
        print(f"{asked.folder / language}: {count} pages")


if __name__ == "__main__":
    main()

"""The whole page, and writing it to a file."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from lagotto.harvest.export.appearing import appearing
from lagotto.harvest.report.asked import asked, head, title
from lagotto.harvest.report.behaviour import behaviour
from lagotto.harvest.report.certainty import certainty
from lagotto.harvest.report.facts import Facts, gather
from lagotto.harvest.report.found import found
from lagotto.harvest.report.html import Html, element, join, text
from lagotto.harvest.report.topic import configuration, steering, topic_table
from lagotto.store import storage_at

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a browser may load for the page: nothing."""


def report(directory: str | Path, path: str | Path, *, force: bool = False) -> Path:
    """Write the report of a crawl to an HTML file, also while it runs; see docs/report.md.

    A file that exists is replaced only with `force`.
    """
    page = report_page(directory)
    with appearing(Path(path), force=force) as stream:
        stream.write(page.encode())
    return Path(path)


def report_page(directory: str | Path) -> str:
    """The report of a crawl as HTML."""
    storage = storage_at(directory)
    with storage.reader() as reader:
        return page_of(gather(storage, reader, datetime.now(UTC)))


def page_of(facts: Facts) -> str:
    """The page that tells these facts."""
    sections = [
        asked(facts),
        found(facts),
        certainty(facts),
        behaviour(facts),
        topic_table(facts),
        steering(facts),
        configuration(facts),
    ]
    style = files("lagotto.harvest.report").joinpath("style.css").read_text(encoding="utf-8")
    made = f"Made by Lagotto {facts.version} at {facts.made_at}."
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">'
        f"<title>{text(title(facts))} \u00b7 Lagotto</title><style>{style}</style></head><body><main>"
        f"{element('header', head(facts))}{_contents()}{join(sections)}"
        f"{element('footer', made)}</main></body></html>\n"
    )


def _contents() -> Html:
    places = {
        "asked": "Asked",
        "found": "Found",
        "sure": "How sure",
        "behaviour": "Behaviour",
        "topic": "Topic",
        "configuration": "Configuration",
    }
    return element("nav", join(element("a", name, href=f"#{id}") for id, name in places.items()))

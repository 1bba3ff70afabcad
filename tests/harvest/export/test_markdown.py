"""Markdown files with front matter, read by a YAML and a Markdown parser."""

from __future__ import annotations

import csv
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from lagotto.harvest.export import export
from lagotto.harvest.export.folder import yaml_scalar
from lagotto.lab.checks.store_calls import outcome, seed
from lagotto.store.sqlite.reader import SqliteReader
from tests.harvest.export.shelf import URLS
from tests.store.blocking import Blocking


def test_one_file_a_page(reader: SqliteReader, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    assert export(reader, "markdown", folder, relevant_only=True) == 3
    with (folder / "index.csv").open(newline="") as stream:
        rows = {row["url"]: row["file"] for row in csv.DictReader(stream)}
    assert list(rows) == list(URLS[1:])
    assert len(list((folder / "pages").rglob("*.md"))) == 3
    _, front, body = (folder / rows[URLS[3]]).read_text().split("---\n", 2)
    known = yaml.safe_load(front)
    assert {name: known[name] for name in ("url", "title", "relevance", "relevant", "host", "depth")} == {
        "url": URLS[3],
        "title": "Page 4",
        "relevance": 0.75,
        "relevant": True,
        "host": "b.example",
        "depth": 1,
    }
    assert (known["fetched_at"], known["near_duplicate_of"]) == ("2023-11-14T22:13:24.000Z", URLS[2])
    found = [(token.type, token.content) for token in MarkdownIt().parse(body)]
    assert [content for kind, content in found if kind == "inline"] == [
        "About 4",
        "Some **text**, [link](http://b.example/x).",
    ]


def test_without_an_answer_the_stored_text_is_taken(tmp_path: Path) -> None:
    store = Blocking.create(tmp_path / "crawl")
    store.hold_all()
    store.add_seeds([seed()])
    done = outcome(store.top()[0])
    assert done.page is not None
    done.page.title, done.page.text = "- # \"x\": 'y'", "# One *line*\nAnother"
    store.commit([done])
    export(store.reader(), "markdown", tmp_path / "notes")
    store.close()
    [path] = (tmp_path / "notes").rglob("*.md")
    _, front, body = path.read_text().split("---\n", 2)
    assert yaml.safe_load(front)["title"] == "- # \"x\": 'y'"
    inline = [token.content for token in MarkdownIt().parse(body) if token.type == "inline"]
    assert inline == ["\\# One \\*line\\*", "Another"]


def test_an_empty_crawl(empty: SqliteReader, tmp_path: Path) -> None:
    assert export(empty, "markdown", tmp_path / "none") == 0
    assert [path.name for path in (tmp_path / "none").iterdir()] == ["index.csv"]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_title_survives_yaml(title: str) -> None:
    assert yaml.safe_load(f"title: {yaml_scalar(title)}\n") == {"title": title}

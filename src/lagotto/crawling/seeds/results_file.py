"""Search results kept in a file: JSON, CSV or one URL a line.

A file may hold the answers of several engines: rows that name an `engine` become that engine's own
answer, in the order of the file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from lagotto.base.errors import InputError
from lagotto.crawling.seeds.engines import Answer, answer, plain_text

MAX_BYTES = 100_000_000


class ResultsFile:
    """An engine that always gives the rows it was made of, whatever it is asked."""

    def __init__(self, name: str, rows: Iterable[object]) -> None:
        self._name = name
        self.rows = list(rows)

    @property
    def name(self) -> str:
        """The engine the rows name, or the file's own name."""
        return self._name

    async def search(self, query: str, limit: int) -> Answer:
        """The first `limit` rows that hold a URL."""
        return answer(self.rows, limit)


def read_results(path: Path) -> list[ResultsFile]:
    """The engines whose answers a file holds; one named after the file when its rows name none."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path} is larger than {MAX_BYTES // 1_000_000} MB; that is no list of results")
        content = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read the results file {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"the results file {path} is not UTF-8 text") from error
    by_engine: dict[str, list[object]] = {}
    for row in _rows(content, path):
        named = row.get("engine") if isinstance(row, Mapping) else None
        by_engine.setdefault(plain_text(named, 60) or path.stem, []).append(row)
    if not by_engine:
        raise InputError(f"the results file {path} is empty")
    return [ResultsFile(name, rows) for name, rows in by_engine.items()]


def _rows(content: str, path: Path) -> list[object]:
    start = content.lstrip()[:1]
    if path.suffix.lower() == ".json" or start in ("{", "["):
        return _json_rows(content, path)
    if path.suffix.lower() == ".csv":
        return list(csv.DictReader(io.StringIO(content, newline="")))
    lines = (line.strip() for line in content.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _json_rows(content: str, path: Path) -> list[object]:
    """Rows of a JSON list, of an object with `results`, or of JSON objects one a line."""
    try:
        said = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError):
        try:
            return list(msgspec.json.Decoder().decode_lines(content))
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(f"the results file {path} is not valid JSON: {error}") from error
    rows = said.get("results", [said]) if isinstance(said, dict) else said
    if not isinstance(rows, list):
        raise InputError(f"the results file {path} holds no list of results")
    return rows

"""What others say of our WARC files."""

from __future__ import annotations

import warnings
from argparse import Namespace
from collections import Counter
from pathlib import Path

from click.testing import CliRunner
from fastwarc.cli import main as fastwarc
from fastwarc.warc import ArchiveIterator, WarcRecordType


def assert_valid(path: Path) -> None:
    """Run `warcio check` and `fastwarc check`, block and payload digests both."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Their own, not ours.
        from warcio.checker import Checker

        checker = Checker(Namespace(inputs=[str(path)], verbose=False))
        checker.process_all()
        assert checker.exit_value == 0, f"warcio check refuses {path}"
        result = CliRunner().invoke(fastwarc, ["check", "--verify-payloads", "--quiet", str(path)])
    assert result.exit_code == 0, f"fastwarc check refuses {path}: {result.output}"


def assert_all_valid(folder: Path) -> None:
    """Run both on every file of a folder."""
    for path in sorted(folder.iterdir()):
        assert_valid(path)


def responses(folder: Path) -> Counter[str]:
    """How often each URL has a response record."""
    found: Counter[str] = Counter()
    for path in sorted(folder.iterdir()):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
                found[record.headers["WARC-Target-URI"]] += 1
    return found

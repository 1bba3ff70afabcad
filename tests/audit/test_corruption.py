"""Whatever happens to one file of a crawl: the same content is read, or a sentence says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.corruption import BAD, SAID, contents, make_crawls, try_all
from tests.crawling.audit import lagotto_fails


@pytest.mark.parametrize("place", [0, 1, 2], ids=["closed", "killed", "killed without a log"])
async def test_damage_is_never_silent(place: int, tmp_path: Path) -> None:
    directory = (await make_crawls(tmp_path, pages=8))[place]
    outcomes = list(try_all(directory, tmp_path / "copy", flips=25, cuts=4))
    assert [(damage.file, damage.what, came) for damage, came in outcomes if came.startswith(BAD)] == []
    assert sum(came == SAID for _, came in outcomes) > len(outcomes) / 4


async def test_every_reader_misses_a_removed_log(tmp_path: Path) -> None:
    killed = (await make_crawls(tmp_path, pages=8))[1]
    assert len(contents(killed)[2]) == 8
    (killed / "crawl.db-wal").unlink()
    for command in (["export"], ["export", "--with-text"], ["status"], ["explain", "http://trap.example/"]):
        name, *options = command
        said = lagotto_fails(name, str(killed), *options)
        assert "crawl.db-wal is missing or damaged: the last" in said


async def test_a_configuration_cut_in_a_number_is_not_taken(tmp_path: Path) -> None:
    closed = (await make_crawls(tmp_path, pages=8))[0]
    path = closed / "config.toml"
    content = path.read_text()
    path.write_text(content[: content.index("max_size = ") + len("max_size = 10")])
    assert "config.toml is not as Lagotto left it" in lagotto_fails("resume", str(closed))
    assert "config.toml is not as Lagotto left it" in lagotto_fails("doctor", str(closed), code=1)

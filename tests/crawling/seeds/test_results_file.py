from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.seeds import ask, read_results


async def urls(path: Path) -> list[str]:
    (engine,) = read_results(path)
    return [result.url for result in (await engine.search("anything", 10)).results]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.txt", "# my list\nhttp://a.org/\n\nhttp://b.org/\n"),
        ("r.json", '["http://a.org/", "http://b.org/"]'),
        ("r.json", '[{"url": "http://a.org/"}, {"href": "http://b.org/"}]'),
        ("r.json", '{"query": "x", "results": [{"url": "http://a.org/"}, {"url": "http://b.org/"}]}'),
        ("r.jsonl", '{"url": "http://a.org/"}\n{"url": "http://b.org/"}\n'),
        ("r.csv", 'title,url\n"A, of course",http://a.org/\nB,http://b.org/\n'),
        ("r.csv", "\ufeffurl\r\nhttp://a.org/\r\nhttp://b.org/\r\n"),
    ],
)
async def test_formats(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    assert await urls(path) == ["http://a.org/", "http://b.org/"]


async def test_rows_that_name_their_engine_become_several_engines(tmp_path: Path) -> None:
    path = tmp_path / "saved.csv"
    path.write_text(
        "engine,url\nbing,http://a.org/\nbing,http://b.org/\nbrave,http://b.org/\n,http://c.org/\n"
    )
    engines = read_results(path)
    assert [engine.name for engine in engines] == ["bing", "brave", "saved"]
    merged = await ask(engines, "x")
    assert (merged.seeds[0].url, merged.seeds[0].priority) == ("http://b.org/", 2)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("r.json", b"{broken", "not valid JSON"),
        ("r.json", b'{"results": 3}', "no list"),
        ("r.json", b"3", "no list"),
        ("r.txt", b"# only a comment\n", "empty"),
        ("r.txt", b"\xff\xfe", "not UTF-8"),
    ],
)
def test_what_is_no_results_file(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=why):
        read_results(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_results(tmp_path / "none.json")

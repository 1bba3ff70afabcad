from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.base.records import Page
from lagotto.focus.topic import documents
from lagotto.focus.topic.documents import Document, read_document, read_folder
from lagotto.parse.page import parse_page


def test_all_pages_of_a_folder_in_order(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.txt").write_text("\ufeffheat pumps", "utf-8")
    (tmp_path / "a.HTML").write_text(
        "<style>p {color: red}</style><p>solar</p><p>power</p><script>var x</script>"
    )
    (tmp_path / "sub" / "c.htm").write_text("<p>wind</p>")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    found = read_folder(tmp_path, partial(parse_page, phrases=("heat pumps",)))
    assert [document.terms for document in found] == [{"solar": 1, "power": 1}, {"heat pump": 1}, {"wind": 1}]
    assert found[0].source.endswith("a.HTML")


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret words")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.txt").write_text("solar")
    (tmp_path / "pages" / "link.txt").symlink_to(tmp_path / "secret.txt")
    assert [document.terms for document in read_folder(tmp_path / "pages", parse_page)] == [{"solar": 1}]


def test_a_huge_file_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_BYTES", 10)
    (tmp_path / "huge.txt").write_text("solar " * 100)
    assert read_document(tmp_path / "huge.txt", parse_page).terms == {}


def test_bytes_that_are_no_utf8_are_still_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"solar \xff power")
    assert read_document(tmp_path / "a.txt", parse_page).terms == {"solar": 1, "power": 1}


@pytest.mark.parametrize("name", ["none", "empty", "file.txt"])
def test_folders_without_pages(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(InputError, match=r"\.html or \.txt"):
        read_folder(tmp_path / name, parse_page)


def test_a_page_of_the_crawl_is_a_document() -> None:
    page = Page("http://a.org/", title="Solar", text="power", terms={"solar": 1, "power": 1})
    assert Document.from_page(page) == Document({"solar": 1, "power": 1}, "Solar\npower", "http://a.org/")

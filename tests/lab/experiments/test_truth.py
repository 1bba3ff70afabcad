from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.lab.experiments.truth import read_labels, read_topics
from lagotto.lab.webs.web import FrozenWeb
from tests.lab.small import Small, url_of


@pytest.fixture
def web(small: Small) -> FrozenWeb:
    return FrozenWeb.open(small.web)


def test_labels_find_pages_under_any_spelling_and_count_unknown_ones(tmp_path: Path, web: FrozenWeb) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(
        "topic,url,note\n"
        "cats,http://two.example/page/1,\n"
        "cats,https://two.example/page/1,the same page\n"
        "cats,http://two.example/page/4,\n"
        "cats,http://nowhere.example/,\n"
        "dogs,,\n"
        ",http://two.example/page/4,\n"
    )
    labels = read_labels(path, web)
    assert labels.pages == {"cats": {url_of(1), url_of(4)}}
    assert labels.unknown == 2


def test_a_topic_without_labels_is_told_with_those_that_have_some(tmp_path: Path, web: FrozenWeb) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(f"url,topic\n{url_of(1)},cats\n")
    with pytest.raises(InputError, match="no page is labelled 'dogs'; the labels have: cats"):
        read_labels(path, web).of("dogs")


def test_labels_of_another_web_are_told(tmp_path: Path, web: FrozenWeb) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("url,topic\nhttps://elsewhere.example/1,cats\nhttps://elsewhere.example/2,cats\n")
    with pytest.raises(InputError, match="none of the 2 labelled URLs is a page of this web"):
        read_labels(path, web).of("cats")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a,b\n1,2\n", "needs the columns url and topic"),
        (b"", "needs the columns url and topic"),
        (b"url,topic\n\xff\xfe,x\n", "cannot read the labels"),
    ],
)
def test_files_that_are_no_labels(tmp_path: Path, web: FrozenWeb, content: bytes, sentence: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        read_labels(path, web)


def test_labels_that_are_not_there(tmp_path: Path, web: FrozenWeb) -> None:
    with pytest.raises(InputError, match="cannot read the labels"):
        read_labels(tmp_path / "missing.csv", web)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is not a file of topics"),
        ("[]", "is not a file of topics"),
        ('{"cats": {"seeds": []}}', "is not a file of topics"),
        ('{"cats": {"words": "cat", "seed": []}}', "is not a file of topics"),
        ("{}", "holds no topic"),
    ],
)
def test_files_that_are_no_topics(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "topics.json"
    path.write_text(content)
    with pytest.raises(InputError, match=sentence):
        read_topics(path)


def test_topics_may_do_without_seeds(tmp_path: Path) -> None:
    path = tmp_path / "topics.json"
    path.write_text('{"cats": {"words": "cat kitten"}}')
    topic = read_topics(path)["cats"]
    assert (topic.seeds, topic.language) == ([], "en")
    with pytest.raises(InputError, match="cannot read the topics"):
        read_topics(tmp_path / "missing.json")

"""The configuration: names, aliases, types, ranges, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.config import Config, encode, fields, from_values, load


def test_names_of_the_command_line_are_taken() -> None:
    config = from_values(
        {
            "seed": "http://a.example/",
            "robots": False,
            "header": ["X-A: 1", "X-B: 2"],
            "example": "page.html",
            "counter_example": "other.html",
            "phrase": "heat pump",
            "option": {"prefer": "hosts"},
        }
    )
    assert config == Config(
        seeds=["http://a.example/"],
        obey_robots=False,
        headers=["X-A: 1", "X-B: 2"],
        examples=["page.html"],
        counter_examples=["other.html"],
        phrases=["heat pump"],
        options={"prefer": "hosts"},
    )


def test_both_names_of_a_list_are_added_up() -> None:
    assert from_values({"seeds": ["a.example"], "seed": "b.example"}).seeds == ["a.example", "b.example"]


def test_one_option_is_not_given_twice() -> None:
    with pytest.raises(InputError, match="'obey_robots' and 'robots' are one option"):
        from_values({"robots": True, "obey_robots": False})


def test_topic_is_the_words() -> None:
    assert from_values({"topic": "birds"}) == Config(topic="birds")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"max_page": 3}, "no option 'max_page'; did you mean 'max_pages'"),
        ({"colour": 3}, "no option 'colour'; `lagotto crawl --help`"),
        ({"max_pages": "many"}, "--max-pages is wrong: expected int, got str"),
        ({"max_pages": 1.5}, "--max-pages is wrong: expected int"),
        ({"seeds": [3]}, "--seed is wrong: expected str, got int"),
        ({"stop": "never"}, "--stop is wrong"),
        ({"seed_scores": [float("nan")]}, "seed_scores must be a finite number"),
        ({"timeout": 0}, "--timeout must be more than 0, not 0"),
        ({"warc_size": -3}, "--warc-size must be at least 1, not -3"),
        ({"language": "xx"}, "no language 'xx'"),
    ],
)
def test_bad_values_are_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        from_values(values)


@pytest.mark.parametrize("name", [name for name, field in fields().items() if field.kind in (int, float)])
def test_every_number_has_a_range(name: str) -> None:
    field = fields()[name]
    assert field.range
    with pytest.raises(InputError):
        field.check(-1 if field.kind is int else -1.0)
    if field.kind is float:
        for endless in (float("nan"), float("inf")):
            with pytest.raises(InputError, match="finite"):
                field.check(endless)


def test_every_field_declares_its_option() -> None:
    assert list(fields()) == list(Config.__struct_fields__)
    Config().check()


def test_defaults_in_words() -> None:
    words = {name: field.default for name, field in fields().items()}
    assert (words["max_pages"], words["max_size"], words["warc_size"]) == ("no limit", "10 MiB", "1 GB")
    assert (words["host_limit"], words["delay"], words["obey_robots"]) == ("100,000", "1", "yes")
    assert (words["seeds"], words["proxy"], words["random_seed"]) == ("", "", "0")


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    config = Config(topic="birds", seeds=["http://a.example/"], options={"prefer": "hosts"}, delay=0.5)
    (tmp_path / "config.toml").write_bytes(encode(config))
    assert load(tmp_path / "config.toml") == config


def test_a_file_may_use_the_names_of_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text('seed = "a.example"\nrobots = false\n')
    assert load(path) == Config(seeds=["a.example"], obey_robots=False)
    path.write_text("timeout = 0\n")
    with pytest.raises(InputError, match=r"c\.toml: --timeout must be more than 0"):
        load(path)

"""robots.txt: Google's verdicts, the RFC's, and files as people write them."""

from __future__ import annotations

import gzip
import json
import tarfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.fetch.robots import MAX_SIZE, Robots


def allowed(text: str | bytes, path: str, product: str = "lagotto") -> bool:
    body = text if isinstance(text, bytes) else text.encode()
    return Robots(body, product).allowed(f"http://example.org{path}")


@pytest.mark.parametrize("file", ["google_robots_cases.json", "rfc9309_cases.json"])
def test_agrees_with_every_case_of_google_and_of_the_rfc(lagotto_data: Path, file: str) -> None:
    cases = json.loads((lagotto_data / "conformance/robots" / file).read_text())["cases"]
    wrong = [
        case["url"]
        for case in cases
        if Robots(case["robots"].encode(), case["agent"]).allowed(case["url"]) != case["allowed"]
    ]
    assert wrong == []
    assert len(cases) == {"google_robots_cases.json": 145, "rfc9309_cases.json": 61}[file]


EXCEPTIONS = {
    "docs.oracle.com",  # 850 KB long: rules after the first 500 KiB do not count
    "www.omegawatches.com",  # an escape that we let forbid in both readings
    "www.turktelekom.com.tr",  # a no-break space after `*`, which we take for a blank
}
"""Files on which we differ from Google, on purpose."""


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)])
def test_agrees_with_googles_verdicts_on_real_files(lagotto_data: Path, every: int) -> None:
    folder = lagotto_data / "conformance/robots"
    with tarfile.open(folder / "protego_realworld.tgz") as archive:
        members = [member for member in archive if member.isfile()][::every]
        files = {
            member.name.partition("/")[2]: archive.extractfile(member).read()  # type: ignore[union-attr]
            for member in members
        }
    parsed: dict[tuple[str, str], Robots] = {}
    total = 0
    wrong: list[str] = []
    with gzip.open(folder / "realworld_google_verdicts.jsonl.gz", "rt") as lines:
        for case in map(json.loads, lines):
            if case["file"] in files:
                key = case["file"], case["agent"]
                if key not in parsed:
                    parsed[key] = Robots(files[case["file"]], case["agent"])
                if parsed[key].allowed(case["url"]) != case["allowed"]:
                    wrong.append(case["file"])
                total += 1
    assert set(wrong) <= EXCEPTIONS
    if every == 1:
        assert (total, len(wrong)) == (129_596, 24)
    else:
        assert total > 100_000 / every


def test_units_of_google_on_paths(lagotto_data: Path) -> None:
    units = json.loads((lagotto_data / "conformance/robots/google_robots_units.json").read_text())
    for case in units["path_params_query"]:
        exactly = Robots(f"User-agent: *\nDisallow: {case['out']}$".encode(), "lagotto")
        assert not exactly.allowed(case["in"]), case


@pytest.mark.parametrize(
    ("file", "url", "product", "expected"),
    [
        ("robots-with-utf8-bom.txt", "/profile", "foobot", False),
        ("robots-with-utf16le-bom.txt", "/profile", "foobot", False),
        ("robots-with-utf16be-bom.txt", "/profile", "foobot", False),
        ("directive-typos-robots.txt", "/desallow/", "bot1", False),
        ("directive-typos-robots.txt", "/dissalow/", "bot1", False),
        ("directive-typos-robots.txt", "/useragent/", "bot2", False),
        ("directive-typos-robots.txt", "/useragent-no-colon/", "bot4", False),
        ("format-errors-robots.txt", "/whitespace-before-colon/", "bot1", False),
        ("format-errors-robots.txt", "/no-colon/", "bot1", False),
        ("format-errors-robots.txt", "/no-colon-useragent/", "bot2", False),
        ("format-errors-robots.txt", "/whitespace-before-colon", "bot3", True),
        ("merge-rules.txt", "/", "lagotto", True),
        ("crawl-delay-group-merging.txt", "/private/", "mybot", False),
        ("crawl-delay-group-merging.txt", "/login/", "mybot", True),
    ],
)
def test_files_of_crawler_commons(
    lagotto_data: Path, file: str, url: str, product: str, expected: bool
) -> None:
    body = (lagotto_data / "conformance/robots/crawlercommons" / file).read_bytes()
    # Product tokens have no digits, so the numbered bots of these files would never be found.
    assert allowed(body.replace(product.encode(), b"lagotto"), url) is expected


def test_crawl_delay_belongs_to_groups(lagotto_data: Path) -> None:
    folder = lagotto_data / "conformance/robots/crawlercommons"
    body = (folder / "crawl-delay-group-merging.txt").read_bytes()
    assert [Robots(body, name).crawl_delay for name in ("mybot", "yourbot", "other")] == [10, 0, 30]
    assert Robots((folder / "dos-line-endings.txt").read_bytes(), "lagotto").crawl_delay == 1


def test_cr_only_line_ends() -> None:
    assert not allowed("User-agent: *\rDisallow: /a\rAllow: /b", "/a")


def test_our_group_replaces_the_one_for_everyone() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: Lagotto\nDisallow: /x"
    assert allowed(text, "/y")
    assert not allowed(text, "/x")
    assert not allowed(text, "/y", "otherbot")
    assert not allowed("User-agent: lagottobot\nDisallow:\nUser-agent: *\nDisallow: /", "/")


def test_an_escape_forbids_in_both_readings_and_allows_only_to_the_letter() -> None:
    assert not allowed("User-agent: *\nDisallow: /%7Ejoe/", "/~joe/x")
    assert not allowed("User-agent: *\nDisallow: /~joe/", "/%7ejoe/x")
    assert not allowed("User-agent: *\nDisallow: /\nAllow: /%7Ejoe/", "/~joe/x")
    assert allowed("User-agent: *\nDisallow: /a%2Fb", "/a/b")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("5", 5),
        ("0.5", 0.5),
        ("-1", 0),
        ("nan", 0),
        ("soon", 0),
        ("", 0),
        ("1e9", 1e9),
        ("inf", float("inf")),
    ],
)
def test_crawl_delay(value: str, seconds: float) -> None:
    assert Robots(f"User-agent: *\nCrawl-delay: {value}".encode(), "lagotto").crawl_delay == seconds


def test_sitemaps_stand_outside_of_groups(lagotto_data: Path) -> None:
    body = (
        b"Sitemap: http://a.org/1.xml\nUser-agent: x\nSITEMAP : /2.xml\nSitemap:\nSitemap: http://a.org/1.xml"
    )
    assert Robots(body, "lagotto").sitemaps == ["http://a.org/1.xml", "/2.xml"]
    assert Robots("Sitemap: http://a.org/caf\u00e9.xml".encode(), "lagotto").sitemaps == [
        "http://a.org/caf\u00e9.xml"
    ]


def test_only_the_first_500_kib_count_and_no_half_rule() -> None:
    start = b"User-agent: *\nDisallow: /first\n"
    filler = b"# filler\n" * ((MAX_SIZE - len(start)) // 9 - 1)
    padding = b"#" * (MAX_SIZE - len(start) - len(filler) - len(b"\nDisallow: /"))
    body = start + filler + padding + b"\nDisallow: /late\nDisallow: /never\n"
    assert body[:MAX_SIZE].endswith(b"Disallow: /")
    robots = Robots(body, "lagotto")
    assert not robots.allowed("http://a.org/first")
    assert robots.allowed("http://a.org/late")
    assert robots.allowed("http://a.org/elsewhere")


def test_pathological_patterns_are_matched_fast() -> None:
    robots = Robots(b"User-agent: *\nDisallow: /" + b"*a" * 50 + b"$", "lagotto")
    url = "http://a.org/" + "a" * 2000 + "b"
    start = time.process_time()
    for _ in range(10):
        assert robots.allowed(url)
    # Backtracking would take longer than the universe has; the bound is wide for slow machines.
    assert (time.process_time() - start) / 10 < 0.01


@given(st.binary(max_size=400), st.text(max_size=50))
def test_any_bytes_are_read_and_any_url_judged(body: bytes, url: str) -> None:
    assert Robots(body, "lagotto").allowed(url) in (True, False)


LINES = st.sampled_from(
    [
        "User-agent: *",
        "User-agent: lagotto",
        "Disallow: /",
        "Allow: /a*b$",
        "Disallow: /%7e*",
        "",
        "#",
        "Disallow:",
    ]
)


@given(st.lists(LINES, max_size=12), st.text("/ab%7e*$~", max_size=12))
def test_adding_a_disallow_never_allows_more(lines: list[str], path: str) -> None:
    before = Robots(
        "\n".join([*lines, "User-agent: *", "User-agent: lagotto", "Allow: /x"]).encode(), "lagotto"
    )
    after = Robots(
        "\n".join([*lines, "User-agent: *", "User-agent: lagotto", "Allow: /x", "Disallow: /ab"]).encode(),
        "lagotto",
    )
    url = f"http://a.org/{path}"
    assert before.allowed(url) or not after.allowed(url)


AI_FILE = b"""
User-agent: *
Content-Signal: search=no, ai-train=NO, ai-input=yes
Disallow: /secret

User-agent: gptbot/1.0
User-agent: CCBot
Crawl-delay: 5
Disallow: /art
Allow: /art/free

User-agent: PerplexityBot
Disallow: /

User-agent: ClaudeBot
Allow: /
"""


def opt_outs(path: str, file: bytes = AI_FILE, product: str = "lagotto") -> list[str]:
    return [str(each) for each in Robots(file, product).opt_outs(f"http://example.org{path}")]


def test_crawlers_for_ai_that_are_kept_out_and_content_signals() -> None:
    signals = ["ai (robots.txt: ai-train=no)", "search (robots.txt: search=no)"]
    answers = "ai-input (robots.txt: PerplexityBot)"
    assert opt_outs("/art") == [*signals, "ai (robots.txt: CCBot, GPTBot)", answers]
    assert opt_outs("/art/free") == [*signals, answers]
    assert opt_outs("/", b"User-agent: *\nDisallow: /x\nUser-agent: Googlebot\nDisallow: /") == []


def test_signals_for_us_count_before_those_for_everyone() -> None:
    ours = AI_FILE + b"\nUser-agent: lagotto\nContent-Signal: ai-train=yes\nAllow: /\n"
    assert opt_outs("/art/free", ours) == ["ai-input (robots.txt: PerplexityBot)"]
    assert Robots(ours, "lagotto").allowed("http://example.org/secret")

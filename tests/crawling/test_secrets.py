"""Secrets stay out of the crawl directory and are asked for again."""

from __future__ import annotations

import base64
import gzip
import sqlite3
from pathlib import Path

import pytest

from lagotto.api import feedback, resume
from lagotto.base.errors import InputError
from lagotto.crawling import config as configuration
from lagotto.crawling.config import Config, encode, load, public, with_secrets
from lagotto.crawling.secrets import drop_user, hide_auth, hide_header, hide_proxy, without_passwords
from lagotto.crawling.session import Crawl
from tests.crawling.test_crawl import html
from tests.site import Site

SECRETS = ("pw-auth", "pw-header", "pw-cookie", "pw-seed", base64.b64encode(b"me:pw-auth").decode())


def all_bytes(directory: Path) -> bytes:
    """Every file of a directory, unpacked where it is packed, and every cell of its database."""
    content = b""
    for path in directory.rglob("*"):
        if path.is_file():
            raw = path.read_bytes()
            content += raw + (gzip.decompress(raw) if path.suffix == ".gz" else b"")
    with sqlite3.connect(directory / "crawl.db") as db:
        content += "\n".join(db.iterdump()).encode("utf-8", "replace")
    db.close()
    return content


async def test_nothing_in_the_directory_holds_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("127.0.5.1\tFALSE\t/\tFALSE\t0\tkey\tpw-cookie\n")
    async with Site({"/": html("birds", "/a"), "/a": html("more birds")}, addresses=["127.0.5.1"]) as site:
        host = site.hosts[0]
        config = Config(
            topic="birds",
            seeds=[f"http://me:pw-seed@{host}/"],
            auth=[f"me:pw-auth@http://{host}"],
            headers=["X-Key: pw-header"],
            cookies=str(cookies),
            delay=0.0,
            allow_private=["127.0.0.0/8"],
        )
        async with Crawl(config, tmp_path / "c") as crawl:
            await crawl.run()
            assert "is not sent; give it with --auth" in crawl.notice
            assert "pw-seed" not in crawl.notice
    pages = [request for request in site.log if request.path != "/robots.txt"]
    assert len(pages) == 2
    for request in pages:
        assert request.headers["X-Key"] == "pw-header"
        assert request.headers["Cookie"] == "key=pw-cookie"
        assert request.headers["Authorization"] == f"Basic {SECRETS[-1]}"
    kept = all_bytes(tmp_path / "c")
    assert not [secret for secret in SECRETS if secret.encode() in kept]

    assert feedback(tmp_path / "c", f"http://{host}/a", on=True).applied, "a mark needs no secret"
    variable = f"LAGOTTO_AUTH_{host.replace('.', '_').replace(':', '_')}"
    with pytest.raises(InputError, match=f"--auth .* needs the environment variable {variable}"):
        resume(tmp_path / "c")
    monkeypatch.setenv(variable, "me:pw-auth")
    with pytest.raises(
        InputError, match=r"--header 'X-Key: .* needs the environment variable LAGOTTO_HEADER_X_KEY"
    ):
        resume(tmp_path / "c")
    assert resume(tmp_path / "c", headers=["X-Key: pw-header"]).why == "the frontier is empty"
    kept = all_bytes(tmp_path / "c")
    assert not [secret for secret in SECRETS if secret.encode() in kept]


async def test_a_crawl_without_its_secret_does_not_begin(tmp_path: Path) -> None:
    config = Config(topic="birds", seeds=["http://a.example/"], auth=["${NOT_SET}@http://a.example"])
    with pytest.raises(InputError, match="needs the environment variable NOT_SET"):
        async with Crawl(config, tmp_path / "c"):
            pass
    assert not (tmp_path / "c").exists()


def test_references_are_kept_and_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("from-file\n")
    monkeypatch.setenv("LOGIN", "me:from-environment")
    config = Config(
        auth=["${LOGIN}@https://a.example"],
        headers=[f"X-Key: ${{file:{tmp_path / 'key'}}}"],
        proxy="http://${LOGIN}@proxy.example:3128",
    )
    assert public(config) == config
    (tmp_path / "config.toml").write_bytes(encode(config))
    known, missing = with_secrets(load(tmp_path / "config.toml"))
    assert missing == []
    assert known.auth == ["me:from-environment@https://a.example"]
    assert known.headers == ["X-Key: from-file"]
    assert known.proxy == "http://me:from-environment@proxy.example:3128"


def test_what_is_missing_is_left_out_and_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    config = Config(headers=["X-A: 1", f"X-B: ${{file:{gone}}}"], proxy="http://${NOT_SET}@proxy.example")
    known, missing = with_secrets(config)
    assert (known.headers, known.proxy) == (["X-A: 1"], "")
    assert f"needs the file {gone}" in missing[0]
    assert "needs the environment variable NOT_SET" in missing[1]
    assert len(missing) == 2


@pytest.mark.parametrize(
    ("hidden", "kept"),
    [
        (hide_auth("me:pw@https://a.example:8080"), "${LAGOTTO_AUTH_A_EXAMPLE_8080}@https://a.example:8080"),
        (hide_auth("me:p@w@https://a.example"), "${LAGOTTO_AUTH_A_EXAMPLE}@https://a.example"),
        (hide_auth("no origin, but a password"), "${LAGOTTO_AUTH}"),
        (hide_header("X-Key: a: b"), "X-Key: ${LAGOTTO_HEADER_X_KEY}"),
        (hide_header("Authorization: Bearer ${TOKEN}"), "Authorization: Bearer ${TOKEN}"),
        (hide_proxy("http://me:pw@h:3128/"), "http://${LAGOTTO_PROXY}@h:3128/"),
        (hide_proxy("http://h:3128"), "http://h:3128"),
        (hide_proxy(""), ""),
        (drop_user("https://me:pw@h/a?b=c@d"), "https://h/a?b=c@d"),
        (drop_user("me:pw@h"), "h"),
        (drop_user("http://h?x=http://me@i/"), "http://h?x=http://me@i/"),
    ],
)
def test_hiding(hidden: str, kept: str) -> None:
    assert hidden == kept


def test_the_proxys_password_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(
        encode(configuration.from_values({"proxy": "http://me:pw-proxy@127.0.0.1:3128"}))
    )
    assert "pw-proxy" not in (tmp_path / "config.toml").read_text()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "no crawl runs in postgresql://me:s3c:ret@db/x?crawl=a",
            "no crawl runs in postgresql://me@db/x?crawl=a",
        ),
        ("postgresql://me@db/x and http://host:8080/a@b", "postgresql://me@db/x and http://host:8080/a@b"),
        ("`lagotto resume postgresql://:word@/x?host=/tmp`", "`lagotto resume postgresql://@/x?host=/tmp`"),
        ("postgresql://db/x?password=word&crawl=a", "postgresql://db/x?crawl=a"),
        ("http://a.example/?password=forgotten", "http://a.example/?password=forgotten"),
        ("mailto:me@example.org", "mailto:me@example.org"),
    ],
)
def test_messages_show_no_passwords(said: str, shown: str) -> None:
    assert without_passwords(said) == shown

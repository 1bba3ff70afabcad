"""Credentials go to where they belong and nowhere else."""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.base.records import Fetched
from lagotto.fetch import Credentials
from tests.fetch.conftest import MakeFetcher
from tests.fetch.servers import RawServer, reply

ORIGIN = "https://example.org"
ELSEWHERE = [
    "http://example.org/",
    "https://example.org:8443/",
    "https://www.example.org/",
    "https://example.org.evil.net/",
    "https://evil.net/https://example.org/",
]


def cookies(tmp_path: Path, *lines: str, origins: Sequence[str] = ()) -> Credentials:
    path = tmp_path / "cookies.txt"
    path.write_text("# Netscape HTTP Cookie File\n\n" + "\n".join(line.replace(" ", "\t") for line in lines))
    return Credentials(cookies_file=path, origins=origins)


def test_headers_go_to_their_origins_only() -> None:
    credentials = Credentials(headers=["X-Key: abc", "X-Empty:"], origins=["https://EXAMPLE.org:443/seed?x"])
    assert credentials.headers_for(f"{ORIGIN}/any/path") == [("X-Key", "abc"), ("X-Empty", "")]
    assert [credentials.headers_for(url) for url in ELSEWHERE] == [[]] * len(ELSEWHERE)


def test_basic_authentication_goes_to_its_origin_only() -> None:
    credentials = Credentials(auth=["me:p@ss:word@https://example.org"])
    [(name, value)] = credentials.headers_for(f"{ORIGIN}/x")
    assert name == "Authorization"
    assert base64.b64decode(value.removeprefix("Basic ")) == b"me:p@ss:word"
    assert [credentials.headers_for(url) for url in ELSEWHERE] == [[]] * len(ELSEWHERE)


def test_host_cookies_stay_on_their_host(tmp_path: Path) -> None:
    credentials = cookies(tmp_path, "example.org FALSE / FALSE 0 id 1")
    assert credentials.headers_for("http://example.org/x") == [("Cookie", "id=1")]
    assert credentials.headers_for("https://example.org/x") == [("Cookie", "id=1")]
    assert credentials.headers_for("http://www.example.org/x") == []
    assert credentials.headers_for("http://notexample.org/x") == []


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1", "localhost"])
def test_cookies_go_to_the_ports_of_the_seeds_only(tmp_path: Path, host: str) -> None:
    line = f"{host} FALSE / FALSE 0 id 1"
    seeded = cookies(tmp_path, line, origins=[f"http://{host}:8001/", "http://elsewhere.org:8003/"])
    assert seeded.headers_for(f"http://{host}:8001/") == [("Cookie", "id=1")]
    for port in (":8002", ":8003", ""):
        assert seeded.headers_for(f"http://{host}{port}/") == []
    unseeded = cookies(tmp_path, line)
    assert unseeded.headers_for(f"http://{host}:8001/") == []
    assert unseeded.headers_for(f"http://{host}/") == [("Cookie", "id=1")]


async def test_a_redirect_to_another_port_carries_no_cookie(
    make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    async with RawServer({"/": reply()}) as other:
        moved = reply(b"", f"Location: {other.url('/')}", status="302 Found")
        async with RawServer({"/": moved}) as server:
            credentials = cookies(tmp_path, "127.0.0.1 FALSE / FALSE 0 id 1", origins=[server.url()])
            fetcher = make_fetcher(credentials=credentials)
            first = await fetcher.fetch(server.url("/"))
            assert isinstance(first, Fetched)
            await fetcher.fetch(first.location)
    assert server.requests[0].headers["cookie"] == "id=1"
    assert "cookie" not in other.requests[0].headers


def test_domain_cookies_go_to_subdomains_by_path_and_safety(tmp_path: Path) -> None:
    future = int(time.time()) + 1000
    credentials = cookies(
        tmp_path,
        f".example.org TRUE / FALSE {future} a 1",
        f"#HttpOnly_.example.org TRUE /docs TRUE {future} b 2",
        ".example.org TRUE / FALSE 1 old 3",
    )
    assert credentials.headers_for("https://www.example.org/docs/x") == [("Cookie", "b=2; a=1")]
    assert credentials.headers_for("https://www.example.org/docs?x") == [("Cookie", "b=2; a=1")]
    assert credentials.headers_for("https://www.example.org/docsx") == [("Cookie", "a=1")]
    assert credentials.headers_for("http://example.org/docs/x") == [("Cookie", "a=1")]


@pytest.mark.parametrize("domain", ["com", ".co.uk", ".github.io"])
def test_cookies_for_a_public_suffix_are_dropped(tmp_path: Path, domain: str) -> None:
    credentials = cookies(tmp_path, f"{domain} TRUE / FALSE 0 id 1")
    assert credentials.headers_for(f"http://victim.{domain.lstrip('.')}/") == []


@pytest.mark.parametrize(
    "line", ["no colon", ": value", "Bad Name: x", "X: a\r\nY: b", "X: \x00", "Host: a", "user-agent: me"]
)
def test_bad_headers_are_input_errors(line: str) -> None:
    with pytest.raises(InputError):
        Credentials(headers=[line], origins=[ORIGIN])


def test_other_bad_input_is_an_input_error_that_keeps_the_secret(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="seed"):
        Credentials(headers=["X: y"])
    with pytest.raises(InputError):
        Credentials(headers=["X: y"], origins=["ftp://example.org"])
    for text in ("user:secret", "user:secret@example.org", "secret@https://example.org"):
        with pytest.raises(InputError) as error:
            Credentials(auth=[text])
        assert "secret" not in str(error.value)
    with pytest.raises(InputError, match="cannot read"):
        Credentials(cookies_file=tmp_path / "missing")
    with pytest.raises(InputError, match="line 3"):
        cookies(tmp_path, "example.org FALSE / FALSE soon id secret")


async def test_a_redirect_carries_nothing_along_and_the_archive_no_secrets(make_fetcher: MakeFetcher) -> None:
    async with RawServer({"/": reply()}, address="127.0.0.2") as other:
        moved = reply(b"", f"Location: {other.url('/')}", "Set-Cookie: tracked=1", status="302 Found")
        async with RawServer({"/": moved, "/again": reply()}) as server:
            credentials = Credentials(
                headers=["X-Key: abc"], origins=[server.url()], auth=[f"me:secret@{server.url('')}"]
            )
            fetcher = make_fetcher(credentials=credentials)
            first = await fetcher.fetch(server.url("/"))
            assert isinstance(first, Fetched)
            second = await fetcher.fetch(first.location)
            await fetcher.fetch(server.url("/again"))
    assert isinstance(second, Fetched)
    assert {"x-key", "authorization"} <= server.requests[0].headers.keys()
    assert not {"x-key", "authorization", "cookie"} & other.requests[0].headers.keys()
    assert "cookie" not in server.requests[1].headers
    assert "User-Agent" in dict(first.request_headers)
    assert not {"X-Key", "Authorization"} & dict(first.request_headers).keys()

"""Who may ask: token, cookie, Host and Origin; and the headers of every answer."""

from __future__ import annotations

import httpx
import pytest

from lagotto.serve.access import MOST_SESSIONS, Access, cookie_name, session_in
from tests.serve.web.conftest import TOKEN


def asked(client: httpx.Client, path: str = "/api/crawls", **headers: str) -> httpx.Response:
    """An answer to a request with these headers alone."""
    with httpx.Client(base_url=client.base_url) as bare:
        return bare.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    "path", ["/api/crawls", "//api/crawls", "/api", "/api/nothing", "/api/openapi.json", "/x"]
)
def test_everything_needs_the_token(reading: httpx.Client, path: str) -> None:
    answer = asked(reading, path)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "token" in answer.json()["detail"]
    assert asked(reading, path, Authorization="Bearer wrong").status_code == 401
    assert asked(reading, path, Authorization=f"Basic {TOKEN}").status_code == 401


def test_the_token_opens(reading: httpx.Client) -> None:
    assert asked(reading, Authorization=f"Bearer {TOKEN}").status_code == 200
    assert asked(reading, Authorization=f"bearer {TOKEN}").status_code == 200


def test_every_answer_has_its_headers(reading: httpx.Client) -> None:
    for answer in (
        asked(reading),
        asked(reading, "/"),
        reading.get("/api/crawls"),
        reading.get("/api/crawls/x"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers
    assert reading.get("/api/crawls").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "", "127.0.0.1.nip.io"]
)
def test_other_names_are_refused(reading: httpx.Client, host: str) -> None:
    answer = asked(reading, Authorization=f"Bearer {TOKEN}", Host=host)
    assert answer.status_code == 403
    assert "Host" in answer.json()["detail"]


def test_names_of_the_server() -> None:
    access = Access("t", ["Crawler.example"])
    for host in (
        "localhost",
        "LOCALHOST:1",
        "127.0.0.1:8470",
        "[::1]:8470",
        "[::1]",
        "10.1.2.3",
        "crawler.example:1",
    ):
        assert access.is_host(host), host
    for host in ("evil.example", "localhost.evil", "", ":80", "[::1", "crawler.example.evil"):
        assert not access.is_host(host), host


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_other_origins_are_refused(reading: httpx.Client, origin: str) -> None:
    answer = asked(reading, Authorization=f"Bearer {TOKEN}", Origin=origin)
    assert answer.status_code == 403
    own = str(reading.base_url).rstrip("/")
    assert asked(reading, Authorization=f"Bearer {TOKEN}", Origin=own).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_of_other_sites_are_refused(reading: httpx.Client, site: str) -> None:
    assert asked(reading, Authorization=f"Bearer {TOKEN}", Sec_Fetch_Site=site).status_code == 403
    assert asked(reading, Authorization=f"Bearer {TOKEN}", Sec_Fetch_Site="same-origin").status_code == 200


def test_a_browser_logs_in_and_out(reading: httpx.Client) -> None:
    with httpx.Client(base_url=reading.base_url) as browser:
        assert browser.post("/api/session", json={"token": "wrong"}).status_code == 401
        answer = browser.post("/api/session", json={"token": TOKEN})
        assert answer.status_code == 204
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert TOKEN not in cookie
        assert browser.get("/api/crawls").status_code == 200
        assert browser.delete("/api/session").status_code == 204
        assert browser.get("/api/crawls").status_code == 401


def test_old_sessions_end() -> None:
    access = Access("t")
    first, *_, last = [access.begin() for _ in range(MOST_SESSIONS + 1)]
    assert not access.is_session(first)
    assert access.is_session(last)


def test_cookies_are_told_apart_by_port() -> None:
    assert cookie_name("127.0.0.1:8470") == "lagotto-8470"
    assert cookie_name("crawler.example") == "lagotto-80"
    assert session_in("lagotto-8470=abc; other=1", "localhost:8470") == "abc"
    assert session_in("lagotto-1=abc", "localhost:8470") == ""
    assert session_in("a b\x00=;;=", "localhost:8470") == ""

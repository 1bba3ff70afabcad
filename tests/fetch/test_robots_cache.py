"""The cache of robots.txt: what each kind of answer means, and for how long."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lagotto.base.records import Failure, Fetched, Reason
from lagotto.fetch.robots_cache import RobotsCache

URL = "http://a.org/page"
Answer = Fetched | Failure


class Web:
    """Answers of a web that a test can change."""

    def __init__(self, answer: Answer | Callable[[str], Answer]) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.now = 1000.0

    async def get(self, url: str) -> Answer:
        self.asked.append(url)
        answer = self.answer(url) if callable(self.answer) else self.answer
        answer.sent_at = self.now
        return answer

    def clock(self) -> float:
        return self.now


def found(text: str, status: int = 200, location: str = "") -> Fetched:
    return Fetched("", status, body=text.encode(), location=location)


def cache_of(web: Web, **options: float) -> RobotsCache:
    return RobotsCache(web.get, "lagotto", clock=web.clock, **options)  # type: ignore[arg-type]


async def fetch_all(cache: RobotsCache) -> None:
    """Follow redirects, one request a call."""
    while not cache.known(URL):
        await cache.fetch(URL)


async def test_a_file_that_breaks_off_is_no_file() -> None:
    web = Web(found("User-agent: *\nDisallow: /pri"))
    assert isinstance(web.answer, Fetched)
    web.answer.truncated = True
    cache = cache_of(web)
    await fetch_all(cache)
    refusal = cache.refusal(URL)
    assert refusal is not None
    assert (refusal.reason, refusal.detail) == (Reason.ROBOTS_UNREACHABLE, "robots.txt: it broke off")
    web.now += 3600.0
    web.answer.truncated = False
    await fetch_all(cache)
    assert cache.refusal(URL) is None


async def test_rules_are_fetched_once_per_origin() -> None:
    web = Web(found("User-agent: *\nDisallow: /x\nCrawl-delay: 3\nSitemap: /s.xml\nSitemap: ftp://b/"))
    cache = cache_of(web)
    assert not cache.known(URL)
    assert await cache.fetch(URL) == 1000.0
    assert cache.known(URL)
    assert not cache.known("https://a.org/")
    assert not cache.known("http://a.org:8080/")
    assert cache.refusal(URL) is None
    refusal = cache.refusal("http://a.org/x")
    assert refusal is not None
    assert refusal.reason is Reason.ROBOTS
    assert cache.crawl_delay(URL) == 3.0
    assert cache.sitemaps(URL) == ["http://a.org/s.xml"]
    assert web.asked == ["http://a.org/robots.txt"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
async def test_no_file_allows_everything(status: int) -> None:
    cache = cache_of(Web(found("User-agent: *\nDisallow: /", status)))
    await cache.fetch(URL)
    assert cache.refusal(URL) is None


@pytest.mark.parametrize(
    "answer",
    [
        found("", 500),
        found("", 503),
        found("", 599),
        found("", 429),
    ],
)
async def test_a_file_that_cannot_be_had_forbids_everything_for_a_while(answer: Answer) -> None:
    web = Web(answer)
    cache = cache_of(web)
    await cache.fetch(URL)
    refusal = cache.refusal(URL)
    assert refusal is not None
    assert refusal.reason is Reason.ROBOTS_UNREACHABLE
    assert refusal.reason.retry
    assert refusal.retry_after == 600
    web.now += 599
    assert cache.known(URL)
    web.now += 2
    assert not cache.known(URL)
    web.answer = found("")
    await cache.fetch(URL)
    assert cache.refusal(URL) is None


@pytest.mark.parametrize("reason", [Reason.DNS, Reason.TIMEOUT_HEADERS, Reason.TLS, Reason.BAD_HTTP])
async def test_a_host_that_gives_no_answer_leaves_nothing_known(reason: Reason) -> None:
    web = Web(Failure(reason, "why"))
    cache = cache_of(web)
    failure = await cache.fetch(URL)
    assert isinstance(failure, Failure)
    assert (failure.reason, failure.detail) == (Reason.ROBOTS_UNREACHABLE, f"robots.txt: {reason} why")
    assert failure.sent_at == 1000.0
    assert failure.reason.retry
    assert not cache.known(URL)
    assert cache.refusal(URL) is not None
    web.answer = found("")
    await cache.fetch(URL)
    assert cache.refusal(URL) is None


async def test_no_answer_after_a_redirect_forbids_everything_for_a_while() -> None:
    def moved(url: str) -> Answer:
        return found("", 301, "http://b.org/rules") if "a.org" in url else Failure(Reason.CONNECT)

    cache = cache_of(Web(moved))
    for _ in range(2):
        await cache.fetch(URL)
    assert cache.known(URL)
    refusal = cache.refusal(URL)
    assert refusal is not None
    assert refusal.reason is Reason.ROBOTS_UNREACHABLE


async def test_a_refused_address_is_called_that_and_is_final() -> None:
    failure = await cache_of(Web(Failure(Reason.ADDRESS))).fetch(URL)
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.ADDRESS
    assert not failure.reason.retry


async def test_rules_are_kept_for_a_day_and_an_old_copy_beats_none() -> None:
    web = Web(found("User-agent: *\nDisallow: /x"))
    cache = cache_of(web, keep=10 * 86_400)
    await cache.fetch(URL)
    web.now += 86_399
    assert cache.known(URL)
    web.now += 2
    assert not cache.known(URL)
    web.answer = found("", 503)
    await cache.fetch(URL)
    assert cache.refusal(URL) is None
    assert cache.refusal("http://a.org/x") is not None
    web.now += 601
    assert not cache.known(URL)


async def test_changed_rules_count_after_the_next_fetch() -> None:
    web = Web(found(""))
    cache = cache_of(web)
    await cache.fetch(URL)
    assert cache.refusal(URL) is None
    web.now += 90_000
    web.answer = found("User-agent: lagotto\nDisallow: /")
    await cache.fetch(URL)
    assert cache.refusal(URL) is not None


async def test_five_redirects_are_followed_and_the_rules_are_the_first_origins() -> None:
    def chain(url: str) -> Answer:
        hop = int(url.rpartition("/")[2]) if url[-1].isdigit() else 0
        return (
            found("User-agent: *\nDisallow: /page") if hop == 5 else found("", 301, f"http://b.org/{hop + 1}")
        )

    web = Web(chain)
    cache = cache_of(web)
    await cache.fetch(URL)
    assert web.asked == ["http://a.org/robots.txt"]
    assert not cache.known(URL)
    assert cache.host(URL) == "b.org"
    await fetch_all(cache)
    assert len(web.asked) == 6
    assert cache.host(URL) == "a.org"
    assert cache.refusal(URL) is not None
    assert not cache.known("http://b.org/page")


async def test_endless_redirects_mean_no_file() -> None:
    web = Web(found("User-agent: *\nDisallow: /", 302, "http://a.org/robots.txt"))
    cache = cache_of(web)
    await fetch_all(cache)
    assert len(web.asked) == 6
    assert cache.refusal(URL) is None


async def test_a_redirect_to_nowhere_means_no_file() -> None:
    cache = cache_of(Web(found("", 302, "")))
    await cache.fetch(URL)
    assert cache.refusal(URL) is None


@pytest.mark.parametrize(("asked", "given_"), [("1e9", 30.0), ("12", 12.0), ("-4", 0.0), ("nan", 0.0)])
async def test_crawl_delay_is_capped(asked: str, given_: float) -> None:
    cache = cache_of(Web(found(f"User-agent: *\nCrawl-delay: {asked}")))
    await cache.fetch(URL)
    assert cache.crawl_delay(URL) == given_


async def test_disobedience_needs_no_file() -> None:
    web = Web(found("User-agent: *\nDisallow: /\nCrawl-delay: 9"))
    cache = RobotsCache(web.get, "lagotto", obey=False)
    assert cache.known(URL)
    assert cache.refusal(URL) is None
    assert cache.crawl_delay(URL) == 0.0
    assert web.asked == []


def test_what_was_never_fetched_is_not_allowed() -> None:
    refusal = cache_of(Web(found(""))).refusal(URL)
    assert refusal is not None
    assert refusal.reason is Reason.ROBOTS_UNREACHABLE


async def test_the_cache_is_bounded_in_origins_and_in_rules() -> None:
    web = Web(found("User-agent: *\n" + "\n".join(f"Disallow: /{i}" for i in range(100))))
    few = cache_of(web, max_origins=3)
    short = cache_of(web, max_rules=250)
    for cache in (few, short):
        for i in range(6):
            await cache.fetch(f"http://{i}.org/")
    assert [few.known(f"http://{i}.org/") for i in range(6)] == [False] * 3 + [True] * 3
    assert [short.known(f"http://{i}.org/") for i in range(6)] == [False] * 4 + [True] * 2


async def test_the_last_request_counts_for_politeness() -> None:
    web = Web(found("", 404))
    web.now = 5.0
    assert await cache_of(web).fetch(URL) == 5.0

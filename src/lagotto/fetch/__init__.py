"""Fetches URLs, politely and safely.

What happens to the URL of a lease:

1. `dns` resolves its host, with a cache of answers and failures. `guard` refuses every address that is
   not public, unless the user has allowed it.
2. `robots_cache` fetches the origin's robots.txt at least once a day, and `robots` matches it as Google
   does. A URL that it forbids is not requested. `politeness` computes the delay of each host; the
   frontier does the waiting.
3. `client` sends one GET. All requests of the crawler go through it. It asks the guard again for the
   address that it connects to. `credentials` and `cookies` add what belongs to that origin. `exchange`
   keeps the time limits, counts bytes and, with `response_head`, refuses malformed heads.
4. `body` reads the answer. `decode` decompresses it up to a cap, `sniff` finds its real type from the
   first bytes, and anything but a page is dropped early.
5. The result is a `Fetched` with any status, redirects included, or a `Failure` with a reason from
   `failures`. `stalls` and `local_errors` recognise failures of our own machine. `http.HttpFetcher`
   implements the `Fetcher` protocol with all this.

`sitemap` reads the sitemaps that robots.txt names.
"""

from lagotto.fetch.body import PAGE_TYPES, SITEMAP_TYPES
from lagotto.fetch.credentials import Credentials
from lagotto.fetch.exchange import Timeouts
from lagotto.fetch.guard import Guard
from lagotto.fetch.http import HttpFetcher, user_agent
from lagotto.fetch.politeness import Delays
from lagotto.fetch.robots import Robots
from lagotto.fetch.sitemap import Sitemap, lists_urls, read_sitemap
from lagotto.fetch.sniff import sniff

__all__ = [
    "PAGE_TYPES",
    "SITEMAP_TYPES",
    "Credentials",
    "Delays",
    "Guard",
    "HttpFetcher",
    "Robots",
    "Sitemap",
    "Timeouts",
    "lists_urls",
    "read_sitemap",
    "sniff",
    "user_agent",
]

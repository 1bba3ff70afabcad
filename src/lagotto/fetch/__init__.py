"""Getting what lies behind a URL, politely and safely.

A lease's URL goes through this stage as follows:

1. `dns` resolves its host, from a cache that also remembers failures, and `guard` refuses every
   address that is not public, unless the user has named it.
2. `robots_cache` gets the origin's robots.txt once a day, `robots` reads and matches it as Google
   does, and a URL that it forbids is not asked for. `politeness` keeps count of how long each host
   is to be left alone; the frontier does the waiting.
3. `client` sends one GET. It is the only way out of the crawler: the guard is asked once more for
   the very address that is being connected to. `credentials` adds what belongs to that origin,
   and `exchange` holds the stop-watch and counts the bytes.
4. `body` reads the answer: `decode` undoes its compression without ever exceeding the cap, `sniff`
   looks at what it really is, and what is no page is dropped after its first bytes.
5. A `Fetched` comes back, whatever its status, redirects included; or a `Failure`, whose reason
   `failures` has worked out. `http.HttpFetcher` puts all this behind the `Fetcher` seam.

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

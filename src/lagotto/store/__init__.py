"""Everything that survives a crawl: the database and the WARC files.

The life of a URL in the store: discovered on a page, as a row of `urls` -> held while its page waits on
the shelf, or queued -> leased, which is not stored -> deferred for a retry, or concluded with a row of
`pages`. One transaction writes that row together with its links, its sample and its place in the WARC.

`storage_at` opens a crawl by its location. `columns` declares what is kept, for both databases; `sql` is
what they share; `sqlite` keeps a crawl in one file, `postgres` where many machines reach it; `warc` keeps
the answers as they came.
"""

from lagotto.store.locations import own_storage, storage_at, with_crawl
from lagotto.store.warc.writer import WarcWriter

__all__ = ["WarcWriter", "own_storage", "storage_at", "with_crawl"]

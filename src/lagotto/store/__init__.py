"""All that survives a crawl: the database, the answers as they came, and what is made of them.

The life of a URL here: discovered on a page, as a row of `urls` -> held while its page waits on the
shelf, or queued -> leased, which leaves no trace -> deferred for a retry, or concluded with a row of
`pages`, in the one transaction that also brings its links, its sample and its place in the WARC.

`SqliteStore` is written by the one process that crawls; `CrawlReader` reads beside it. `links`
(`seen`, `queue`, `hosts`, `sweep`), `pages`, `shelf` and `learned` hold the tables' logic,
`database`, `lock`, `recovery` and `doctor` keep the files whole, `warc` writes and `export` hands on.
"""

from lagotto.store.export import FORMATS, export, export_rows
from lagotto.store.reader import CrawlReader
from lagotto.store.sqlite import SqliteStore
from lagotto.store.warc import WarcWriter

__all__ = ["FORMATS", "CrawlReader", "SqliteStore", "WarcWriter", "export", "export_rows"]

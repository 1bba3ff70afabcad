"""What can go wrong and must be told to a person.

    LagottoError                 one sentence, exit code 2
      InputError                 an option, a URL or a file that makes no sense
        UnknownName              a strategy, topic or network that does not exist
        SeedError                no seed, or none that could be reached
      CrawlDirectoryError        the crawl directory cannot be used
        NotACrawl                there is no crawl in it
        InUse                    another process works on it
        NewerStore               written by a newer version
        OlderStore               written by an older version, and to be brought up to date first
        DamagedStore             a file in it is corrupt
          LostAnswer             what a server answered cannot be read; all else of the crawl can
        DiskFull                 no room left; nothing is lost
      ParserError                no parser process can be started; nothing is lost
      LocalError                 this machine has no more files, ports or memory; nothing is lost
      StaleEpoch                 another worker has taken the shard; the commit is refused

What goes wrong with one URL is no exception but a `records.Failure`.
"""

from __future__ import annotations

from collections.abc import Iterable


class LagottoError(Exception):
    """Base of all errors meant for a person; the message says what is wrong and what to do."""

    exit_code = 2


class InputError(LagottoError):
    """An option, a URL or a file that makes no sense."""


class UnknownName(InputError):
    """A strategy, topic or network that does not exist."""


class SeedError(InputError):
    """No seed, or none that could be reached."""


class CrawlDirectoryError(LagottoError):
    """The crawl directory cannot be used."""


class NotACrawl(CrawlDirectoryError):
    """There is no crawl in the directory."""


class InUse(CrawlDirectoryError):
    """Another process works on the directory."""


class NewerStore(CrawlDirectoryError):
    """The store was written by a newer version of Lagotto."""


class OlderStore(CrawlDirectoryError):
    """The store was written by an older version of Lagotto and must be brought up to date first."""


class DamagedStore(CrawlDirectoryError):
    """A file of the crawl is corrupt."""


class LostAnswer(DamagedStore):
    """A stored answer is missing or damaged; its page is known, and its text may be kept."""


class DiskFull(CrawlDirectoryError):
    """No room is left on the disk; nothing is lost."""


class ParserError(LagottoError):
    """No parser process can be started; nothing is lost."""


class LocalError(LagottoError):
    """This machine has no more files, ports or memory to give; nothing is lost."""


class StaleEpoch(LagottoError):
    """Another worker has taken the shard; the commit is refused.

    A worker that goes on without the lost shards calls `Store.release` for them.
    """

    def __init__(self, message: str, shards: Iterable[int] = ()) -> None:
        super().__init__(message)
        self.shards = tuple(shards)

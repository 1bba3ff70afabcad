"""The store on one machine: one SQLite file, written by one process, read by any number.

The life of the file: `storage` creates it, or opens it after `doctor` has looked at it and `migration` has
brought it up to date -> `store` writes batches in transactions -> checkpoints bring the log into the file ->
closing leaves its checksum in the file of `lock`.

The life of a link: `seen` says whether it is known -> `known_links` adds it to `urls` -> `queue` keeps its
place among the links of its host, first in memory, then in `frontier`, until it is concluded.
"""

"""The store that many machines share: a crawl is a schema in a PostgreSQL database.

Commits of one crawl are written one after the other: each locks the row of `counters` first. So pages,
samples, events and arrivals are numbered in the order in which they become visible, no two commits wait for
each other in a circle, and the epochs cannot change under a commit.

The life of a commit: `store` sends it to its thread -> `workers` checks that the shards are still held ->
`known_links` reads the rows that it may change by `link_rows`, and changes them in memory -> they are written
in the order of shards and checksums. `outages` repeats what a lost connection has cut off.
"""

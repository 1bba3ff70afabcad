"""The store that many machines share: a crawl is a schema in a PostgreSQL database.

Commits of one crawl are written one after the other: each locks the row of `counters` first. So pages,
samples, events and arrivals are numbered in the order in which they become visible, no two commits wait for
each other in a circle, and the epochs cannot change under a commit.
"""

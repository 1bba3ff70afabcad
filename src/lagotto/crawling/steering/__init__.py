"""Steering a crawl from outside, while it runs or after it stopped.

The life of a command: checked (`compose`) -> sent with who and when (`Storage.send`) -> taken by the crawl
after a commit, or twice a second when nothing is committed (`taking`) -> recorded with its outcome in the
transaction that holds its effects. The configuration in effect is the one that the crawl was started with,
changed by all commands that were taken (`in_effect`).
"""

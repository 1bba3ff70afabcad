"""What is done to a crawl of several workers, and what it loses by it: nothing.

`make cluster-audit` runs all. Each file holds trials of one kind, which `__main__` runs.
"""

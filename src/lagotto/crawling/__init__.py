"""The crawl itself: one page's step, the worker that repeats it, what it tells and counts."""

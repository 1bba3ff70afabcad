"""What is wanted, and how a crawl comes to it.

The life of a topic here: given as words, examples or a query log (`topic`) -> taken up by the strategy of a
crawl (`strategies`, found by name in `registry`), which judges pages and scores links -> made sharper while
the crawl runs, by people and language models (`teaching`) -> used to judge all fetched pages again
(`judging`). Nothing here fetches pages or stores them.
"""

"""Parse: bytes -> `Page`, in processes that can be killed.

The life of a body: fetched -> sent to a parser process -> decoded -> tree -> text and links -> terms
and hashes -> `Page`; or given up because it took too long, too much memory, or its process with it.

`pool.ParserPool` is the way in; `page.parse_page` does the work. Nothing is imported here, because the
parser processes import this package as well and should start fast.
"""

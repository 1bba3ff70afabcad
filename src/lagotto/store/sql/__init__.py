"""What the stores on SQL databases share: how a batch changes the tables, and how they are read.

The life of a batch: `batches` takes its fields in their order -> `outcomes` concludes or defers URLs, `pages`
writes their rows, `verdicts` changes them, `shelf` holds links back, `learned` keeps samples and snapshots ->
`events` tells what happened. `reader` answers questions: `overview` figures, `stored_pages` pages,
`known_links` links and single URLs.

A store brings its database as a `Database`, its known links as `Links`, and what only it has: locks, shards,
numbers. The tables have the same columns everywhere; statements keep to what SQLite and PostgreSQL both read.
"""

"""What the stores on SQL databases share: how a batch changes the tables, and how they are read.

A store brings its database as a `Database`, its known links as `Links`, and what only it has: locks, shards,
numbers. The tables have the same columns everywhere; statements keep to what SQLite and PostgreSQL both read.
"""

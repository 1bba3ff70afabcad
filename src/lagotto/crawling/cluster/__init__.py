"""A crawl by several workers, on a PostgreSQL store.

`lagotto worker` joins a crawl from anywhere, and all state is in the database. On one machine a small
supervisor starts such processes, and starts those again that die. On many machines Ray can do that.
"""

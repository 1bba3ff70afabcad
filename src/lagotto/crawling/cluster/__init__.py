"""A crawl on many machines: workers as Ray actors, on a PostgreSQL store.

The workers do not need Ray: `lagotto worker` joins a crawl from anywhere, and all state is in the database.
Ray starts workers on the nodes of a cluster, starts those again that die, and adds some while there is work.
"""

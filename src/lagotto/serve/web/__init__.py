"""The server: crawls over HTTP, for the dashboard and for programs.

A request passes `access.Gate`, which checks Host, Origin and token and serves the dashboard's files. `app`
sends it to a handler in the module of its subject. Handlers look into a crawl with readers that follow it,
each in a thread of its own (`open_crawls`), and change it by commands (`steering`); they know nothing of the
process that crawls. What takes long is a job (`jobs`); crawls are processes of their own (`starting`).
"""

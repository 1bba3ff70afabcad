"""What every server of crawls needs, whatever it speaks.

A request is refused by `access`, or finds its crawl in `crawl_folder`; `permissions` says what it may set.
`starting` begins crawls as processes of their own, `jobs` does what takes long, and `running` listens.
`web` is the API with the dashboard, `mcp` offers the same to agents.
"""

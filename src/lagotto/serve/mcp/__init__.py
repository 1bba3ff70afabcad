"""Crawls for agents, by the Model Context Protocol: start, status, search, read, mark, export.

`tools` says what an agent may do and marks what comes from the web as untrusted; `serving` speaks over
standard input and output or HTTP. Everything goes through readers and commands, as in the API.
"""

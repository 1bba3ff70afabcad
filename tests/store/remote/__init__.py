"""A store that is deliberately different from the embedded one: SQLite behind a server on a socket.

Every call takes 2 ms longer than it must, and the reply to every few calls is lost after the work was done.
"""

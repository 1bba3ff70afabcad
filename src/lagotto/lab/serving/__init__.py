"""Serving a frozen web over real HTTP on loopback."""

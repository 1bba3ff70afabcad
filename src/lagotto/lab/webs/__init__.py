"""Frozen webs: importing, storing and analysing pages that strategies are compared on."""

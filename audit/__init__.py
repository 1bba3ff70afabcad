"""Trials of the crawler's promises against servers on loopback; `make audit` runs them all."""

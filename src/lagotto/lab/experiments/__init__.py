"""Experiments: strategies crawl a frozen web in replay, and labels judge what they found."""

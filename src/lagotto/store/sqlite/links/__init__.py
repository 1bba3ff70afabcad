"""Known links: seen test, queue by host and score, shelf, and the sweep that moves them to disk."""

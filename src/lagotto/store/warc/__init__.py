"""WARC files: `writer` appends answers, `reading` gets them back, `records` is the format."""

"""Export: a crawl written as tables, pages, an archive or a graph, one module a format.

`selection` chooses pages, `contents` reads HTML and Markdown of a page, `tables` writes any table,
`appearing` gives files and folders their name when they are whole, and `formats` knows all formats by name.
"""

from lagotto.harvest.export.formats import FORMATS, export, export_rows

__all__ = ["FORMATS", "export", "export_rows"]

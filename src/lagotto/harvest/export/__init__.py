"""Export: a crawl written as tables, pages, an archive or a graph, one module a kind.

`formats` declares every format, `options` what an export may hold, `selection` chooses the pages; `tables`
writes any table, and `appearing` gives files and folders their name when they are whole.
"""

from lagotto.harvest.export.formats import FORMATS, export, export_rows

__all__ = ["FORMATS", "export", "export_rows"]

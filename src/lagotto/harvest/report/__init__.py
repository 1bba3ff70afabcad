"""The report of a crawl for a person who was not there: one HTML page that needs nothing else.

`facts` reads the crawl. `asked`, `found`, `certainty`, `behaviour` and `topic` each make a part of the page,
`figures` draws, and `html` escapes whatever comes from the web. `report` puts the page together.
"""

from __future__ import annotations

from lagotto.harvest.report.report import report, report_page

__all__ = ["report", "report_page"]

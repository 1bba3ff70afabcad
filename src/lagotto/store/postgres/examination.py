"""Checks whether the tables of a crawl fit together."""

from __future__ import annotations

from lagotto.findings import Finding, Severity
from lagotto.store.postgres.connection import Connection

_CHECKS = {
    "every concluded URL has its page row": """
        SELECT count(*) FROM urls u LEFT JOIN pages p ON p.page = u.page
        WHERE u.page IS NOT NULL AND p.seq IS DISTINCT FROM u.seq
    """,
    "every page row has its URL": """
        SELECT count(*) FROM pages p LEFT JOIN urls u ON u.seq = p.seq WHERE u.page IS DISTINCT FROM p.page
    """,
    "no URL has two page rows": "SELECT count(*) - count(DISTINCT seq) FROM pages",
    "page numbers have no gap": "SELECT coalesce(max(page), 0) - count(*) FROM pages",
    "every known URL is counted": "SELECT abs((SELECT known FROM counters) - (SELECT count(*) FROM urls))",
    "every text has its page": """
        SELECT count(*) FROM texts t LEFT JOIN pages p USING (page) WHERE p.page IS NULL
    """,
}
"""What must hold -> query that counts where it does not."""


def examine(db: Connection) -> list[Finding]:
    """What was checked, as of one moment."""
    found = []
    with db.transaction("REPEATABLE READ"):
        for what, query in _CHECKS.items():
            row = db.execute(query).fetchone()
            broken = row[0] if row else 0
            if broken:
                found.append(Finding(Severity.ERROR, f"it is not so that {what}: {broken} times"))
            else:
                found.append(Finding(Severity.GOOD, what))
    return found

"""Write docs/reasons.md from the tables of reasons: `.venv/bin/python scripts/reason_docs.py`."""

from __future__ import annotations

from pathlib import Path

from lagotto.base.reasons import LEFT_OUT, REASONS, SCHEMES, Reason

PAGE = Path(__file__).parent.parent / "docs" / "reasons.md"
HEAD = """# Reasons

Made from `lagotto.base.reasons` by `scripts/reason_docs.py`.

## Why a URL has no page

Each URL without a page has a reason. `lagotto status` counts them, `lagotto explain` shows them with their
details, and exports have them in the column `reason`.

- *Tried again*: the same request may succeed later. It is repeated up to `--retries` times.
- *About the host*: the failure says more about the host than about the URL, so the whole host is
  left alone for a while.
- *Error*: whether progress lines count it as an error."""
LINKS = """## Why a link was not queued

While a crawl runs and when it ends, links that were not queued are counted by reason.

| reason | the link is |
|---|---|"""
OTHERS = "Links with these schemes are counted under the name of the scheme: "


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The whole page."""
    head = "| reason | what happened | tried again | about the host | error |\n|---|---|---|---|---|"
    rows = [_row(Reason(reason)) for reason in REASONS]
    links = [f"| `{reason}` | {words} |" for reason, words in LEFT_OUT.items()]
    schemes = OTHERS + ", ".join(f"`{scheme}`" for scheme in sorted(SCHEMES)) + "."
    return "\n\n".join([HEAD, "\n".join([head, *rows]), "\n".join([LINKS, *links]), schemes]) + "\n"


def _row(reason: Reason) -> str:
    facts = reason.facts
    again = "408, 425 and 5xx" if reason is Reason.HTTP_STATUS else _yes(facts.retry)
    return f"| `{reason}` | {facts.words} | {again} | {_yes(facts.about_host)} | {_yes(facts.error)} |"


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


if __name__ == "__main__":
    main()

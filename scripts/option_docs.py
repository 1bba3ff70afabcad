"""Write docs/options.md from the fields of `Config`: `.venv/bin/python scripts/option_docs.py`."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from lagotto.base.options import Field
from lagotto.crawling.config import fields

PAGE = Path(__file__).parent.parent / "docs" / "options.md"
HEAD = """# Options of a crawl

Made from `lagotto.crawling.config.Config` by `scripts/option_docs.py`.

The same options are keys of a TOML file (`lagotto crawl --config FILE`, and `config.toml` in every crawl
directory), keyword arguments in Python (`lagotto.crawl(...)`, `lagotto.resume(...)`), and options of
[`lagotto crawl`](cli.md). The command line wins over the file.

Files and Python also take the command line's name with underscores, such as `seed` for `seeds` and `robots`
for `obey_robots`. The one exception is `topic`, which is the words; `--topic` is `saved_topic`.

```toml
topic = "solar power"
seeds = ["https://example.org/energy/"]
max_pages = 500
robots = true

[options]
prefer = "hosts"
```

A value of another type or out of range is refused with a sentence. Numbers must be finite.

*May change* says when another value takes effect once a crawl has begun, with `lagotto resume` or
[`lagotto steer`](steering.md): at once, at the next start, or never, since what was learned depends on it.
*Over HTTP* says what the dashboard, [programs](api.md) and [agents](mcp.md) may set; of `allow_private` they
may set what the server was started with."""
NAMES = ("key", "command line", "type", "default", "meaning", "may change", "over HTTP")
COLUMNS = f"| {' | '.join(NAMES)} |\n{'|---' * len(NAMES)}|"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for group, members in groupby(fields().values(), key=lambda field: field.option.group):
        parts.append(f"## {group}")
        parts.append("\n".join([COLUMNS, *map(_row, members)]))
    return "\n\n".join(parts) + "\n"


def _row(field: Field) -> str:
    cells = [f"`{field.name}`", _spelling(field), _kind(field), _default(field), _meaning(field)]
    cells += [field.option.change, _over_http(field)]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _spelling(field: Field) -> str:
    if field.name == "topic":
        return "`WORDS`"
    return ", ".join(f"`{name}`" for name in field.spellings.split("/") if name)


def _kind(field: Field) -> str:
    if field.choices:
        return "one of " + ", ".join(f'`"{choice}"`' for choice in field.choices)
    names = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    if field.many:
        return f"list of {names[field.kind.__args__[0]]}s"
    if field.kind == dict[str, Any]:
        return "table"
    return names.get(field.kind, 'number or `"auto"`') + (f", {field.range}" if field.range else "")


def _default(field: Field) -> str:
    value = field.value
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, int | float):
        return f"`{value}`"
    return f'`"{value}"`' if value else ""


def _over_http(field: Field) -> str:
    if not field.option.http:
        return "no"
    values = " values" if field.many else ""
    return f"yes, at most {field.most:,.0f}{values}" if field.option.most else "yes"


def _meaning(field: Field) -> str:
    more = f"; 0: {field.option.zero}" if field.option.zero else ""
    more += f"; {field.value}: {field.option.default}" if field.option.default else ""
    return f"{field.option.help}{more}"


if __name__ == "__main__":
    main()

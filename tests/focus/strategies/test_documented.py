"""docs/strategies.md describes every strategy of the papers and every option, with its default."""

from __future__ import annotations

import inspect
import re

import pytest

from lagotto.focus.registry import strategy_class
from tests.conftest import PROJECT

NAMES = ["bfs", "best-first", "static", "dynamic", "priority", "neural", "hybrid", "linkrank"]
PAGE = (PROJECT / "docs" / "strategies.md").read_text()
SECTIONS = {section.partition("\n")[0]: section for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)}
# best-first takes the option of bfs, and its section is two lines.
DESCRIBED_WITH = {"best-first": "bfs"}


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_described_with_its_default(name: str) -> None:
    assert f"| `{name}` |" in PAGE
    section = SECTIONS[DESCRIBED_WITH.get(name, name)]
    for option, parameter in inspect.signature(strategy_class(name)).parameters.items():
        if option == "topic":
            continue
        row = next(line for line in section.splitlines() if line.startswith("|") and f"`{option}`" in line)
        default = parameter.default
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        shown = f"{default:,}" if isinstance(default, int) and default > 9999 else shown
        assert shown in row.split("|")[2], f"{name}: {option} is {shown}"

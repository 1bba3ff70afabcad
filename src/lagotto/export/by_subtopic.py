"""The pages of a subtopic, named by the user."""

from __future__ import annotations

from typing import Any

from lagotto.grouping import subtopics_of
from lagotto.protocols import Reader, Storage


def with_subtopic(storage: Storage, reader: Reader, values: dict[str, Any]) -> dict[str, Any]:
    """Options of an export with the pages of a subtopic in the place of its name or id, if there is one."""
    name = values.get("subtopic")
    if name is None:
        return values
    return values | {"subtopic": subtopics_of(storage, reader).numbers(name)}

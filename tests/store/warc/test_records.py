"""Parts of WARC records."""

from __future__ import annotations

import uuid

from lagotto.store.warc.records import new_id


def test_record_ids_are_random_uuids() -> None:
    found = [new_id() for _ in range(100)]
    assert len(set(found)) == 100
    for id in found:
        read = uuid.UUID(id.removeprefix("<").removesuffix(">"))
        assert f"<{read.urn}>" == id
        assert (read.version, read.variant) == (4, uuid.RFC_4122)

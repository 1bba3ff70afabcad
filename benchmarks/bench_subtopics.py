"""CPU of subtopics: grouping all pages of a crawl, on topic or not, and sorting as many into the groups.

python benchmarks/bench_subtopics.py DIR
"""

from __future__ import annotations

import sys
import time

import numpy as np
from webs import skip

from lagotto.harvest.subtopics.sorting import SAMPLE, make_groups, sort_pages
from lagotto.harvest.subtopics.space import asked_of
from lagotto.store import storage_at


def main(directory: str) -> None:
    storage = storage_at(directory)
    with storage.reader() as reader:
        asked = asked_of(storage)
        numbers = np.array([number for number, _, _ in reader.harvest()], np.int64)[:SAMPLE]
        started = time.process_time()
        grouping = make_groups(reader, numbers, asked, crawl="")
        assert grouping is not None
        grouped = time.process_time() - started
        none = grouping.sorting.only(np.zeros(len(numbers), np.bool_))
        started = time.process_time()
        sort_pages(reader, grouping._replace(sorting=none), numbers, asked)
        each = (time.process_time() - started) / len(numbers)
    print(
        f"{len(numbers)} pages: {grouped:.1f} s of CPU to group and name, {1000 * each:.2f} ms to sort each"
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        skip("subtopics need the directory of a finished crawl; name one")
    main(sys.argv[1])

"""Pack the public suffix list for the package, from the snapshot that the package publicsuffixlist carries.

    python -m pip install publicsuffixlist
    python scripts/make_suffixes.py [FILE]

FILE is another copy of `public_suffix_list.dat`, such as https://publicsuffix.org/list/public_suffix_list.dat.
"""

from __future__ import annotations

import gzip
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

from lagotto.base.suffixes import LIST
from lagotto.base.urls import canonical, host_of


def snapshot() -> Path:
    """The list in the installed package."""
    found = importlib.util.find_spec("publicsuffixlist")
    if found is None or found.origin is None:
        sys.exit("publicsuffixlist is not installed; install it, or name a copy of public_suffix_list.dat")
    return Path(found.origin).with_name("public_suffix_list.dat")


def rules(lines: Iterator[str]) -> Iterator[str]:
    """All rules, the private ones too, their names spelt as in canonical URLs."""
    for line in lines:
        rule = line.split("//")[0].strip()
        if rule:
            name = rule.removeprefix("!").removeprefix("*.")
            url = canonical(f"http://{name}/")
            assert url is not None, rule
            yield rule.removesuffix(name) + host_of(url)


def main() -> None:
    """Read the list, write the packed one."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else snapshot()
    with source.open(encoding="utf-8") as lines:
        # Names that end alike stand together, which packs them in half the room.
        packed = sorted(rules(lines), key=lambda rule: rule.split(".")[::-1])
    LIST.write_bytes(gzip.compress("\n".join(packed).encode("ascii"), mtime=0))
    print(f"{LIST.name}: {len(packed):,} rules, {LIST.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

"""Ways to compress a body, the same bytes every time."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from gzip import compress as gzip_compress

import brotli

from lagotto.base.zstd import compress as zstd_compress

gzip = partial(gzip_compress, mtime=0)
br = partial(brotli.compress, quality=4)
zstd = partial(zstd_compress, level=3)


def raw_deflate(text: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(text) + packer.flush()


ENCODE: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip,
    "x-gzip": gzip,
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "br": br,
    "zstd": zstd,
}
"""Encoders by the names that decoders know; deflate twice, since servers send it in two ways."""

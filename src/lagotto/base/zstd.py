"""Zstandard compression: the standard library's module, or its backport before Python 3.14."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression import zstd as _zstd
else:
    from backports import zstd as _zstd

CompressionParameter = _zstd.CompressionParameter
DecompressionParameter = _zstd.DecompressionParameter
ZstdDecompressor = _zstd.ZstdDecompressor
ZstdError = _zstd.ZstdError
ZstdFile = _zstd.ZstdFile
compress = _zstd.compress
decompress = _zstd.decompress

"""Why a link did not enter the frontier."""

from __future__ import annotations

from enum import StrEnum


class Refused(StrEnum):
    """The reasons, as they are counted and shown."""

    SCHEME = "scheme"
    INCLUDE = "not-included"
    EXCLUDE = "excluded"
    SITE = "other-site"
    DEPTH = "too-deep"
    LENGTH = "url-too-long"
    PATH_DEPTH = "path-too-deep"
    REPEATED = "repeated-segments"
    ESCAPES = "escaped-again"
    FILE_TYPE = "file-type"
    PATTERN_LIMIT = "pattern-limit"
    HOSTS_PER_SITE = "hosts-per-site"
    ALIKE = "pages-all-alike"
    NOFOLLOW = "nofollow"

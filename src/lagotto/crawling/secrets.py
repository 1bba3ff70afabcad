"""Passwords and keys: how they are kept out of the crawl directory, and where they come from instead.

A value may name an environment variable, `${NAME}`, or a file, `${file:PATH}`. Such references are kept as
they are and looked up when the crawl starts. Of a value that holds the secret itself, a reference to an
environment variable is kept, and the secret must be given again when the crawl is resumed.

    user:password@https://example.org   ->   ${LAGOTTO_AUTH_EXAMPLE_ORG}@https://example.org
    X-Key: value                        ->   X-Key: ${LAGOTTO_HEADER_X_KEY}
    http://user:password@proxy:3128     ->   http://${LAGOTTO_PROXY}@proxy:3128
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_password = re.compile(r"(://[^\s/:@?#]*):[^\s/@]+@")
_parameter = re.compile(r"(postgres(?:ql)?://[^\s'`]*[?&])password=[^\s&'`]*&?")
_reference = re.compile(r"\$\{(file:[^}]+|[A-Za-z_][A-Za-z0-9_]*)\}")


class MissingSecret(Exception):
    """What a reference names is not there; the message says which variable or file."""


def without_passwords(text: str) -> str:
    """The text with the passwords of URLs left out, for messages and logs."""
    return _parameter.sub(r"\1", _password.sub(r"\1@", text))


def look_up(text: str) -> str:
    """The text with its references replaced by what they name."""
    return _reference.sub(_value, text)


def _value(reference: re.Match[str]) -> str:
    name = reference[1]
    if name.startswith("file:"):
        path = Path(name.removeprefix("file:"))
        try:
            return path.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise MissingSecret(f"the file {path}") from None
    if name not in os.environ:
        raise MissingSecret(f"the environment variable {name}")
    return os.environ[name]


def hide_auth(text: str) -> str:
    """`user:password@origin` without user and password.

    >>> hide_auth("me:secret@https://example.org")
    '${LAGOTTO_AUTH_EXAMPLE_ORG}@https://example.org'
    """
    _, at, origin = text.rpartition("@")
    if _reference.search(text):
        return text
    host = origin.partition("://")[2] if at else ""
    return f"{_variable('AUTH', host)}{at}{origin if at else ''}"


def hide_header(text: str) -> str:
    """`Name: value` without the value."""
    name, _, _ = text.partition(":")
    return text if _reference.search(text) else f"{name}: {_variable('HEADER', name)}"


def hide_proxy(text: str) -> str:
    """A proxy's URL without user and password."""
    scheme, user, rest = _split(text)
    return f"{scheme}{_variable('PROXY')}@{rest}" if user and not _reference.search(text) else text


def drop_user(text: str) -> str:
    """A URL without user and password.

    >>> drop_user("http://me:secret@example.org/a@b")
    'http://example.org/a@b'
    """
    scheme, _, rest = _split(text)
    return f"{scheme}{rest}"


def _split(url: str) -> tuple[str, str, str]:
    """Scheme, user information and the rest of a URL as a person typed it."""
    scheme, separator, rest = url.partition("://") if "://" in url[:10] else ("", "", url)
    end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
    user, _, host = rest[:end].rpartition("@")
    return f"{scheme}{separator}", user, host + rest[end:]


def _variable(*names: str) -> str:
    name = "_".join(["LAGOTTO", *(part for part in names if part)])
    return "${" + re.sub(r"\W+", "_", name).strip("_").upper() + "}"

"""The API as an OpenAPI document, made from the handlers; and answers to OPTIONS, made from that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from litestar import Litestar
from msgspec import Struct
from msgspec.json import schema_components

from lagotto.serve.access import Answer, AsgiApp, Receive, Scope, Send, refusal

_METHODS = ("get", "post", "put", "patch", "delete")


def document_of(app: Litestar) -> dict[str, Any]:
    """The document; bodies of requests are described by msgspec, which knows all their bounds."""
    document = app.openapi_schema.to_schema()
    schemas = document["components"]["schemas"]
    bodies = [cls for cls in _structs(Struct) if cls.__name__ in schemas and _is_strict(cls)]
    _, described = schema_components(bodies, ref_template="#/components/schemas/{name}")
    schemas |= described
    return document


class Options:
    """Answers OPTIONS with all methods of a path; Litestar names those of one handler alone."""

    def __init__(self, app: AsgiApp, document: dict[str, Any]) -> None:
        self._app = app
        self._paths = [
            (
                re.compile(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(path))).fullmatch,
                ", ".join([*(method.upper() for method in _METHODS if method in operations), "OPTIONS"]),
            )
            for path, operations in document["paths"].items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "OPTIONS":
            await self._app(scope, receive, send)
            return
        allowed = next((methods for matches, methods in self._paths if matches(scope["path"])), "")
        answer = Answer(204, {"allow": allowed}, b"") if allowed else refusal(404, "there is nothing here")
        await answer.send(send)


def _is_strict(cls: type[Struct]) -> bool:
    return cls.__struct_config__.forbid_unknown_fields and cls.__module__.startswith("lagotto.")


def _structs(base: type[Struct]) -> Iterator[type[Struct]]:
    for cls in base.__subclasses__():
        yield cls
        yield from _structs(cls)

"""Bounds of what a request may ask for."""

from __future__ import annotations

from typing import Annotated

from litestar.params import PathParameter, QueryParameter

Offset = Annotated[int, QueryParameter(ge=0, le=10**9, description="Rows to leave out at the beginning.")]
Limit = Annotated[int, QueryParameter(ge=1, le=500, description="Rows at most.")]
Number = Annotated[int, PathParameter(ge=1, le=10**12, description="Number of the page.")]
SubtopicId = Annotated[int | None, QueryParameter(ge=0, le=10**9, description="Id of a subtopic.")]
Search = Annotated[str, QueryParameter(max_length=300)]

"""The parts of a request: segments of paths, values of queries, and revisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypedDict
from urllib.parse import quote


class Revisioned(TypedDict):
    """Anything with a `revision`, as the service returned it."""

    revision: int


IfMatch: TypeAlias = Revisioned | str
"""An object as it was read, whose revision must still be current, or the text of an `ETag`."""


def segment(value: str) -> str:
    """Returns an id or slug as one segment of a path."""
    # These would call another operation: `teams/../members/X` is `members/X`, and `standups/` is a list.
    if value in ("", ".", ".."):
        raise ValueError(f"{value!r} is no id")
    return quote(value, safe="")


def query_values(query: Mapping[str, object] | None) -> dict[str, str]:
    """Returns the parameters that are given, as text. Several values of one have commas between them."""
    return {name: _text(value) for name, value in (query or {}).items() if value is not None}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(str(one) for one in value)
    return str(value)


def if_match_value(expected: IfMatch) -> str:
    """Returns the header `If-Match`."""
    return expected if isinstance(expected, str) else f'"{expected["revision"]}"'

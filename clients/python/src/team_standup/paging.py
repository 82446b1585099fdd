"""Reads lists page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

from .types import Page

Parameters = ParamSpec("Parameters")
Row = TypeVar("Row")


def paginate(
    list_page: Callable[Parameters, Page[Row]], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> Iterator[Row]:
    """Yields every row of a list, and reads each page when it is needed.

    Example: `for standup in paginate(client.list_standups, team="platform", limit=100): …`
    """
    while True:
        page = list_page(*args, **kwargs)
        yield from page["data"]
        if not page["has_more"] or page["next_cursor"] is None:
            return
        kwargs["cursor"] = page["next_cursor"]

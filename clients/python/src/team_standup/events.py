"""Follows the events of the workspace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from .client import Client
from .types import AnyEvent


class FollowedEvents(NamedTuple):
    """Some events, oldest first, and the cursor after them."""

    events: list[AnyEvent]
    cursor: str
    """Keep it when the events are processed. Give it to `follow_events` to continue after them."""


def follow_events(
    client: Client,
    cursor: str | None = None,
    *,
    types: str | Sequence[str] | None = None,
    since: str | None = None,
    wait: int = 30,
) -> Iterator[FollowedEvents]:
    """Yields the events of the workspace as they happen, until the caller stops.

    It begins after `cursor`, or without one at the oldest event that is kept. `events` is empty when none
    came within `wait` seconds: a good moment to stop.
    A cursor belongs to its `types` and `since`: give the same ones again. A `ProblemError` with the code
    `cursor_expired` means that events after it are gone: read the lists again, and follow without a cursor.

    Args:
        types: Only these types and groups: `["standup.*", "team.created"]`.
        since: Only events at or after this instant (RFC 3339).
        wait: Seconds that the service waits for an event before each answer, 1 to 30.
    """
    names = types if types is None or isinstance(types, str) else ",".join(types)
    while True:
        page = client.list_events(cursor=cursor, types=names, since=since, wait=wait, limit=100)
        # Oldest first, the feed always has a cursor for what comes next.
        cursor = cast(str, page["next_cursor"])
        yield FollowedEvents(cast(list[AnyEvent], page["data"]), cursor)

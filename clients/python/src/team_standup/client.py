"""The client: sends the requests, and repeats those that may have failed for a moment."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Self, cast

import httpx

from .errors import NoAnswerError, ProblemError
from .operations import VERSION, Operations
from .request_parts import IfMatch, if_match_value, query_values
from .types import NewStandup, Page, Problem, ShownStandup

# Errors of the address or of this package's own request are not among these: no repeat mends them.
_NO_ANSWER = (httpx.TimeoutException, httpx.NetworkError, httpx.ProxyError, httpx.RemoteProtocolError)

_TEXTS = ("application/x-ndjson", "text/csv")


class Client(Operations):
    """Calls the API, one method for each operation.

    A request without an answer, and one answered by 429 or 5xx, is sent again, for `retry_for` seconds in
    all. Every change has an idempotency key from the first try on, so no repeat makes it twice.
    Threads can share a client.

    Args:
        url: Address of the service, such as `https://standup.example.com`.
        token: An access token.
        retry_for: Seconds of a call with all its tries; 0 for one try.
        timeout: Seconds to connect, and to wait for each part of an answer.
        transport: Replaces the network, for tests: `httpx.MockTransport`.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        retry_for: float = 30.0,
        timeout: float = 10.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._retry_for = retry_for
        self._timeout = timeout
        self._http = httpx.Client(
            base_url=url,
            headers={
                "Authorization": f"Bearer {token.strip()}",
                "User-Agent": f"team-standup-python/{VERSION}",
            },
            transport=transport,
        )

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def post_standup(self, body: NewStandup, *, idempotency_key: str | None = None) -> ShownStandup:
        """Post a standup for one team. `post_standup_to_teams` posts for several."""
        if "teams" in body:
            raise TypeError("a standup with `teams` is several: use post_standup_to_teams")
        return cast(ShownStandup, super().post_standup(body, idempotency_key=idempotency_key))

    def post_standup_to_teams(
        self, body: NewStandup, *, idempotency_key: str | None = None
    ) -> Page[ShownStandup]:
        """Post one standup for each of the `teams`, in one step."""
        if "teams" not in body:
            raise TypeError("`teams` is missing: use post_standup for one team")
        return cast(Page[ShownStandup], super().post_standup(body, idempotency_key=idempotency_key))

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        if_match: IfMatch | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        key = None if method == "GET" else idempotency_key or str(uuid.uuid4())
        headers = {
            **({"Idempotency-Key": key} if key is not None else {}),
            **({"If-Match": if_match_value(if_match)} if if_match is not None else {}),
            **({"Content-Type": "application/json"} if body is not None else {}),
        }
        # A read of the feed may wait on purpose.
        wait = float(str((query or {}).get("wait") or 0))
        request = self._http.build_request(
            method,
            path,
            params=query_values(query) or None,
            headers=headers,
            content=None if body is None else json.dumps(body, allow_nan=False).encode(),
        )
        began = time.monotonic()
        end = began + wait + max(self._retry_for, self._timeout)
        tries = 0
        while True:
            failure: NoAnswerError | ProblemError
            asked = 0.0
            try:
                response = self._receive(request, wait, end)
            except _NO_ANSWER as error:
                failure = NoAnswerError(f"{method} {path} got no answer: {error!r}", key)
                failure.__cause__ = error
            else:
                if response.is_success:
                    return _read(response, key)
                failure = _read_problem(response)
                if response.status_code != 429 and response.status_code < 500:
                    raise failure
                asked = failure.retry_after or 0.0
            pause = max(asked, min(0.5 * 2**tries, 8.0) * random.uniform(0.8, 1.2))
            if time.monotonic() + pause > began + wait + self._retry_for:
                raise failure
            time.sleep(pause)
            tries += 1

    def _receive(self, request: httpx.Request, wait: float, end: float) -> httpx.Response:
        """Sends one try. Only an export may take longer than until `end`, however slowly it comes."""
        left = max(end - time.monotonic(), 0.1)
        limits = httpx.Timeout(min(self._timeout, left), read=min(self._timeout + wait, left))
        request.extensions["timeout"] = limits.as_dict()
        response = self._http.send(request, stream=True)
        try:
            # A transport for tests gives its answers whole.
            if _media_type(response) in _TEXTS or response.is_stream_consumed:
                response.read()
                return response
            content = bytearray()
            for part in response.iter_raw():
                content += part
                if time.monotonic() > end:
                    raise httpx.ReadTimeout("the answer takes too long", request=request)
        finally:
            response.close()
        return httpx.Response(
            response.status_code, headers=response.headers, content=bytes(content), request=request
        )


def _read(response: httpx.Response, key: str | None) -> Any:
    if response.status_code == 204:
        return None
    if _media_type(response) in _TEXTS:
        return response.text
    try:
        return response.json()
    except ValueError as error:
        raise NoAnswerError(f"{response.url} answered {response.status_code} without JSON", key) from error


def _read_problem(response: httpx.Response) -> ProblemError:
    problem = Problem(
        type="about:blank",
        title=response.reason_phrase,
        status=response.status_code,
        detail=f"{response.url} answered {response.status_code} {response.reason_phrase}",
        instance=response.url.path,
        code=f"http_{response.status_code}",
        request_id=response.headers.get("x-request-id", ""),
    )
    if _media_type(response) == "application/problem+json":
        with suppress(ValueError):
            body = response.json()
            # Gateways send problems too, whose members have other types. They have no `code`.
            if isinstance(body, dict) and isinstance(body.get("code"), str):
                problem.update(cast(Problem, body))
    return ProblemError(problem, _retry_after(response.headers.get("retry-after", "")))


def _media_type(response: httpx.Response) -> str:
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()


def _retry_after(value: str) -> float | None:
    """Returns the seconds of a header `Retry-After`, which is a number or a date."""
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None

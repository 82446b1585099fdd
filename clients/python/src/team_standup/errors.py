"""The errors of this package. All of them are a `StandupError`."""

from __future__ import annotations

from .types import Problem
from .types import ProblemErrorsItem as FieldError

__all__ = ["FieldError", "NoAnswerError", "ProblemError", "StandupError", "WebhookVerificationError"]


class StandupError(Exception):
    """Any error that this package raises for what it gets from outside."""


class ProblemError(StandupError):
    """An answer that refuses a request: problem details (RFC 9457).

    `code` is stable; decide by it. An answer that is no problem of the service, such as a page of a proxy,
    has the code `http_` and its status: `http_502`.
    """

    # Positional arguments alone let `pickle` pass the error between processes.
    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        super().__init__(problem, retry_after)
        self.problem = problem
        self.code = problem["code"]
        self.status = problem["status"]
        self.title = problem["title"]
        self.detail = problem["detail"]
        self.request_id = problem["request_id"]
        self.errors: list[FieldError] = problem.get("errors", [])
        """Each fault, with the `pointer`, `parameter` or `header` that has it."""
        self.retry_after = retry_after
        """Seconds that the service asks to wait, or None."""

    def __str__(self) -> str:
        faults = "".join(
            f"\n  {fault.get('pointer') or fault.get('parameter') or fault.get('header')}: {fault['detail']}"
            for fault in self.errors
        )
        return f"{self.status} {self.code}: {self.detail} (request {self.request_id}){faults}"


class NoAnswerError(StandupError):
    """No answer came in time, or one that cannot be read.

    A change may have been made or not. Repeat it with the same `idempotency_key`.
    """

    def __init__(self, message: str, idempotency_key: str | None = None) -> None:
        super().__init__(message, idempotency_key)
        self.idempotency_key = idempotency_key
        """The key that was sent, also if the client made it; None for a read."""

    def __str__(self) -> str:
        return str(self.args[0])


class WebhookVerificationError(StandupError):
    """A request that is not a webhook of this service, or is too old. Answer it with 400."""

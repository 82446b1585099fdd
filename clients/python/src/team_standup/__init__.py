"""Client of the Team Standup Service."""

from . import types
from .client import Client
from .errors import FieldError, NoAnswerError, ProblemError, StandupError, WebhookVerificationError
from .events import FollowedEvents, follow_events
from .operations import VERSION as __version__
from .paging import paginate
from .request_parts import IfMatch
from .webhooks import verify_webhook

__all__ = [
    "Client",
    "FieldError",
    "FollowedEvents",
    "IfMatch",
    "NoAnswerError",
    "ProblemError",
    "StandupError",
    "WebhookVerificationError",
    "__version__",
    "follow_events",
    "paginate",
    "types",
    "verify_webhook",
]

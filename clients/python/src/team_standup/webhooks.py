"""Verifies webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, cast

from .errors import WebhookVerificationError
from .types import AnyEvent


class Headers(Protocol):
    """The headers of any framework, or a dictionary; the case of their names is ignored."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(
    body: bytes,
    headers: Headers,
    keys: str | Sequence[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> AnyEvent:
    """Returns the event of a request that the service signed, or raises `WebhookVerificationError`.

    Its `type` tells type checkers what `data` is. A webhook with the `payload` `thin` sends a `ThinEvent`.
    The same event can come again: drop those whose `id` you have.

    Args:
        body: The raw bytes of the body, before any parser.
        headers: The headers of the request.
        keys: A secret (`whsec_…`, signature v1), a public key (`whpk_…`, signature v1a, which needs
            `team-standup[ed25519]`), or several, of which one must fit.
        tolerance: Seconds between the signature and now, in both directions.
        now: The time in Unix seconds; default: the machine's.
    """
    verifiers = [_verifier(key) for key in ([keys] if isinstance(keys, str) else keys)]
    if not isinstance(body, bytes):
        raise TypeError("the body must be its raw bytes")
    given = {name.lower(): value for name, value in headers.items()}
    event_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise WebhookVerificationError("the header webhook-timestamp is missing or no time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookVerificationError("the request is too old, or from the future")
    # A hostile header may have characters that are no UTF-8; no signature fits it.
    signed = f"{event_id}.{timestamp}.".encode(errors="replace") + body
    signatures = [one.partition(",") for one in given.get("webhook-signature", "").split(" ")]
    for version, _, encoded in signatures:
        signature = _decode(encoded)
        if any(version == own and verifies(signed, signature) for own, verifies in verifiers):
            return cast(AnyEvent, json.loads(body))
    raise WebhookVerificationError("no signature fits")


def _verifier(key: str) -> tuple[str, Callable[[bytes, bytes], bool]]:
    """Returns the version of the signatures that a key verifies, and the function that does it."""
    raw = _decode(key.partition("_")[2])
    if key.startswith("whsec_") and raw:
        return "v1", lambda signed, signature: hmac.compare_digest(
            hmac.digest(raw, signed, "sha256"), signature
        )
    if key.startswith("whpk_") and len(raw) == 32:
        return "v1a", _ed25519_verifier(raw)
    # The key itself does not belong into a log.
    raise ValueError("a key is neither a secret (whsec_…) nor a public key (whpk_…) of a webhook")


def _ed25519_verifier(raw: bytes) -> Callable[[bytes, bytes], bool]:
    # The standard library has no Ed25519. Who verifies by secrets alone does not need this package.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    public_key = Ed25519PublicKey.from_public_bytes(raw)

    def verifies(signed: bytes, signature: bytes) -> bool:
        try:
            public_key.verify(signature, signed)
        except InvalidSignature:
            return False
        return True

    return verifies


def _decode(encoded: str) -> bytes:
    """Returns the bytes of base64, or none if it is not base64."""
    try:
        return base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        return b""

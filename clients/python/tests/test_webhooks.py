"""Signatures of webhooks, made here as the service makes them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unittest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from team_standup import WebhookVerificationError, verify_webhook

NOW = 1_795_424_400
BODY = b'{"id": "evt_1", "type": "standup.created"}'
RAW_SECRET = bytes(range(32))
PRIVATE_KEY = Ed25519PrivateKey.generate()


def encode(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


SECRET = f"whsec_{encode(RAW_SECRET)}"
PUBLIC_KEY = f"whpk_{encode(PRIVATE_KEY.public_key().public_bytes_raw())}"


def sign(body: bytes = BODY, at: int | str = NOW, event_id: str = "evt_1") -> dict[str, str]:
    signed = f"{event_id}.{at}.".encode() + body
    v1 = encode(hmac.digest(RAW_SECRET, signed, hashlib.sha256))
    signatures = f"v1,{v1} v1a,{encode(PRIVATE_KEY.sign(signed))}"
    return {"Webhook-Id": event_id, "Webhook-Timestamp": str(at), "Webhook-Signature": signatures}


class VerifyWebhookTest(unittest.TestCase):
    def refuses(self, body: bytes, headers: dict[str, str], keys: str | list[str], now: float = NOW) -> None:
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(body, headers, keys, now=now)

    def test_a_signed_request_is_accepted_by_either_key(self) -> None:
        for keys in (SECRET, PUBLIC_KEY, [f"whsec_{encode(b'another')}", SECRET]):
            self.assertEqual(verify_webhook(BODY, sign(), keys, now=NOW)["id"], "evt_1")

    def test_any_changed_part_is_refused(self) -> None:
        for key in (SECRET, PUBLIC_KEY):
            self.refuses(BODY + b" ", sign(), key)
            self.refuses(BODY, {**sign(), "Webhook-Id": "evt_2"}, key)
            self.refuses(BODY, {**sign(), "Webhook-Timestamp": str(NOW + 1)}, key)
            for missing in sign():
                self.refuses(BODY, {name: value for name, value in sign().items() if name != missing}, key)

    def test_a_request_is_valid_for_five_minutes(self) -> None:
        for key in (SECRET, PUBLIC_KEY):
            for offset in (-300, 300):
                verify_webhook(BODY, sign(), key, now=NOW + offset)
            for offset in (-301, 301):
                self.refuses(BODY, sign(), key, now=NOW + offset)

    def test_a_time_must_be_digits(self) -> None:
        for at in ("nan", "inf", "-1", f" {NOW}", f"{NOW}.0", f"{NOW}_0", "", "9" * 5000, "١٧٩٥٤٢٤٤٠٠"):
            self.refuses(BODY, sign(at=at), SECRET)

    def test_a_signature_of_one_version_does_not_count_as_the_other(self) -> None:
        v1, v1a = sign()["Webhook-Signature"].split(" ")
        swapped = f"{v1.replace('v1,', 'v1a,')} {v1a.replace('v1a,', 'v1,')}"
        for key in (SECRET, PUBLIC_KEY):
            self.refuses(BODY, {**sign(), "Webhook-Signature": swapped}, key)
        self.refuses(BODY, {**sign(), "Webhook-Signature": v1}, PUBLIC_KEY)
        self.refuses(BODY, {**sign(), "Webhook-Signature": v1a}, SECRET)

    def test_hostile_signatures_are_refused(self) -> None:
        for signatures in (
            "",
            "v1",
            "v1,",
            "v1a,",
            ",",
            "v1,==",
            "v1,\udce9",
            "v2," + encode(b"x"),
            "v1,é " * 999,
        ):
            for key in (SECRET, PUBLIC_KEY):
                self.refuses(BODY, {**sign(), "Webhook-Signature": signatures, "Webhook-Id": "\udce9"}, key)

    def test_during_a_rotation_one_of_several_signatures_fits(self) -> None:
        signatures = f"v1,{encode(bytes(32))} v1a,{encode(bytes(64))} {sign()['Webhook-Signature']}"
        for key in (SECRET, PUBLIC_KEY):
            verify_webhook(BODY, {**sign(), "Webhook-Signature": signatures}, key, now=NOW)

    def test_a_key_that_is_none_is_an_error_of_the_program(self) -> None:
        for key in ("", "whsec_", "whpk_", "secret", "whsec_!", f"whpk_{encode(b'short')}"):
            with self.assertRaises(ValueError) as raised:
                verify_webhook(BODY, sign(), key, now=NOW)
            self.assertNotIn("secret_", str(raised.exception))
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(BODY, sign(), [], now=NOW)


if __name__ == "__main__":
    unittest.main()

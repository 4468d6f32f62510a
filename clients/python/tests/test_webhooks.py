from __future__ import annotations

import base64
import unittest

from shipping_route_data import WebhookVerificationError, verify_webhook

# The example of the specification of Standard Webhooks.
SECRET = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": "1614265330",
    "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


def at(seconds: int = 1614265330):  # type: ignore[no-untyped-def]
    return lambda: float(seconds)


class WebhookTest(unittest.TestCase):
    def test_returns_the_event_of_a_signed_delivery(self) -> None:
        self.assertEqual(verify_webhook(BODY, HEADERS, SECRET, now=at()), {"test": 2432232314})
        self.assertEqual(verify_webhook(BODY.decode(), HEADERS, SECRET, now=at()), {"test": 2432232314})

    def test_accepts_one_of_several_signatures(self) -> None:
        several = {**HEADERS, "Webhook-Signature": f"v1,AAAA v2,x {HEADERS['Webhook-Signature']}"}
        self.assertEqual(verify_webhook(BODY, several, SECRET, now=at()), {"test": 2432232314})

    def test_rejects_everything_else(self) -> None:
        other = "whsec_" + base64.b64encode(b"another secret").decode()
        for body, headers, secret, now in (
            (b'{"test": 1}', HEADERS, SECRET, at()),
            (BODY, HEADERS, other, at()),
            (BODY, HEADERS, SECRET, at(1614265330 + 301)),
            (BODY, HEADERS, SECRET, at(1614265330 - 301)),
            (BODY, {}, SECRET, at()),
            (BODY, {**HEADERS, "Webhook-Timestamp": "now"}, SECRET, at()),
            (BODY, {**HEADERS, "Webhook-Signature": "v1,é"}, SECRET, at()),
        ):
            with self.subTest(headers=headers), self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, secret, now=now)


if __name__ == "__main__":
    unittest.main()

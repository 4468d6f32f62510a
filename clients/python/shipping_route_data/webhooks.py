"""Verification of webhooks (Standard Webhooks, https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Callable, Mapping, Union

TOLERANCE_SECONDS = 5 * 60


class WebhookVerificationError(Exception):
    """The delivery is not from the service, or too old."""


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: str,
    *,
    now: Callable[[], float] = time.time,
) -> Any:
    """Checks the signature and the age of a delivery.

    A delivery may be repeated: handle each ``webhook-id`` once.

    :param body: exactly as received, before any parsing
    :param secret: of the endpoint, ``whsec_…``
    :returns: the event
    :raises WebhookVerificationError: if it is not from the service, or older than five minutes
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp, signatures = (
            given[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
        )
    except KeyError as missing:
        raise WebhookVerificationError(f"The header {missing} is missing") from None
    if not timestamp.isascii() or not timestamp.isdigit():
        raise WebhookVerificationError("The timestamp is not a number")
    if abs(now() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("The timestamp is too far from the present")
    content = body.encode() if isinstance(body, str) else body
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("The secret is not base64") from None
    signed = f"{message_id}.{timestamp}.".encode() + content
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # Several signatures: while a secret is being replaced, both sign.
    for versioned in signatures.split(" "):
        version, _, signature = versioned.partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), expected):
            return json.loads(content)
    raise WebhookVerificationError("No signature matches")

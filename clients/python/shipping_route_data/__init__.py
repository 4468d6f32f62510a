"""Client of the Shipping Route Data Service. Needs Python 3.10 or later and nothing else."""

from ._http import ApiKey, Login, RetryPolicy
from .api import API_VERSION, ShippingRouteClient
from .errors import ApiError, ConnectionFailed, FieldError
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "API_VERSION",
    "ApiError",
    "ApiKey",
    "ConnectionFailed",
    "FieldError",
    "Login",
    "RetryPolicy",
    "ShippingRouteClient",
    "WebhookVerificationError",
    "verify_webhook",
]

"""What the client raises."""

from __future__ import annotations

from typing import List, Optional, TypedDict


class FieldError(TypedDict):
    """A field of the request, in dot notation, and the rule that it broke."""

    path: str
    message: str


class ApiError(Exception):
    """An error that the API answered with. Decide by ``status``; the message is written for people."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: Optional[List[FieldError]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status
        self.message = message
        #: For 422: which fields broke which rule.
        self.errors = errors or []
        #: Name it when you ask for support.
        self.request_id = request_id
        #: For 429 and 503: how long the API asks to wait, in seconds.
        self.retry_after = retry_after


class ConnectionFailed(Exception):
    """The API could not be reached, or did not answer in time. ``__cause__`` says why."""

"""Requests with credentials, time-outs, retries and pagination."""

from __future__ import annotations

import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Tuple

from .errors import ApiError, ConnectionFailed


@dataclass(frozen=True)
class ApiKey:
    """An API key and the username that belongs to it."""

    key: str = field(repr=False)
    username: str


@dataclass(frozen=True)
class Login:
    """An account's e-mail address and password. The client logs in and keeps the token fresh."""

    email: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class RetryPolicy:
    """When a request is repeated: over the limit (429), and if that cannot do anything twice, after 503 and lost
    connections."""

    #: Attempts after the first one.
    retries: int = 4
    #: In seconds. If the API asks for a longer pause, the error is raised.
    longest_pause: float = 60.0
    #: In seconds. Doubles with every attempt.
    first_pause: float = 0.5

    def pause(
        self,
        status: Optional[int],
        retry_after: Optional[float],
        attempt: int,
        repeatable: bool,
        jitter: float,
    ) -> Optional[float]:
        """The seconds before the next attempt: ``Retry-After``, or exponential backoff with full jitter. None: give up.

        :param status: None without a response
        :param attempt: 0 after the first one
        :param jitter: 0 to 1
        """
        # A request over the limit has done nothing, whatever its method.
        may_repeat = status == 429 or (repeatable and status in (None, 503))
        if not may_repeat or attempt >= self.retries:
            return None
        if retry_after is None:
            return jitter * min(self.longest_pause, self.first_pause * float(2**attempt))
        if retry_after > self.longest_pause:
            return None
        # Jitter, so that many clients do not come back in the same moment.
        return retry_after + jitter * self.first_pause


_REFRESH_BEFORE_END = 60 * 60

Body = Optional[Mapping[str, Any]]
Response = Tuple[int, Mapping[str, str], bytes]


class HttpClient:
    """What every operation shares. Safe to use from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: Optional[ApiKey] = None,
        login: Optional[Login] = None,
        timeout: float = 30.0,
        retry: RetryPolicy = RetryPolicy(),
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
        now: Callable[[], float] = time.time,
    ) -> None:
        """
        :param base_url: with ``/api``: ``https://data.example.com/api``
        :param api_key: and ``login``: one or both; each endpoint takes the one that it accepts
        :param timeout: of an attempt, in seconds
        :param sleep: with ``jitter`` and ``now`` for tests
        """
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._login = login
        self._timeout = timeout
        self._retry = retry
        self._sleep = sleep
        self._jitter = jitter
        self._now = now
        self._token: Optional[Tuple[str, float]] = None
        self._token_lock = threading.Lock()

    def _request(
        self,
        method: str,
        path: str,
        *,
        path_params: Mapping[str, Any] = {},
        query: Mapping[str, Any] = {},
        body: Body = None,
        idempotent: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Sends a request with the client's credentials. Arguments that are None are left out."""
        for name, value in path_params.items():
            path = path.replace("{%s}" % name, urllib.parse.quote(str(value), safe=""))
        given = [(name, _text(value)) for name, value in query.items() if value is not None]
        url = path if not given else f"{path}?{urllib.parse.urlencode(given)}"
        headers: Dict[str, str] = {}
        if idempotent:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        content = None if body is None else {name: value for name, value in body.items() if value is not None}
        status, answer_headers, answer = self._send(method, url, {**headers, **self._credentials()}, content)
        # The token may have been revoked or have expired on the way.
        if status == 401 and self._login is not None:
            with self._token_lock:
                self._token = None
            status, answer_headers, answer = self._send(method, url, {**headers, **self._credentials()}, content)
        return _decoded(status, answer_headers, answer)

    def _items(
        self, list_name: str, method: str, path: str, *, query: Mapping[str, Any] = {}, **more: Any
    ) -> Iterator[Any]:
        """The records of all pages."""
        following = dict(query)
        while True:
            page = self._request(method, path, query=following, **more)
            yield from page[list_name]
            # A list that grows, such as changes, says whether to ask again at once, and goes on with ``since``.
            if page["next_cursor"] is None or page.get("has_more") is False:
                return
            following["since" if "has_more" in page else "cursor"] = page["next_cursor"]

    def _credentials(self) -> Dict[str, str]:
        headers: Dict[str, str] = {}
        if self._api_key is not None:
            headers["X-API-Key"] = self._api_key.key
            headers["X-Username"] = self._api_key.username
        if self._login is not None:
            headers["Authorization"] = f"Bearer {self._bearer(self._login)}"
        return headers

    def _bearer(self, login: Login) -> str:
        """The token, exchanged before it ends. Threads wait for the same login."""
        with self._token_lock:
            if self._token is None:
                self._token = self._log_in(login)
            elif self._token[1] - self._now() < _REFRESH_BEFORE_END:
                try:
                    self._token = self._new_token("/auth/refresh", None, self._token[0])
                except ApiError as error:
                    if error.status != 401:
                        raise
                    self._token = self._log_in(login)
            return self._token[0]

    def _log_in(self, login: Login) -> Tuple[str, float]:
        return self._new_token("/auth/login", {"email": login.email, "password": login.password}, None)

    def _new_token(self, path: str, body: Body, token: Optional[str]) -> Tuple[str, float]:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = _decoded(*self._send("POST", path, headers, body))
        ends_at = datetime.fromisoformat(answer["expires_at"].replace("Z", "+00:00"))
        return answer["access_token"], ends_at.timestamp()

    def _send(self, method: str, url: str, headers: Mapping[str, str], body: Body) -> Response:
        """Sends a request, and again as the retry policy says."""
        repeatable = method != "POST" or "Idempotency-Key" in headers
        attempt = 0
        while True:
            status: Optional[int] = None
            retry_after: Optional[float] = None
            try:
                response = self._exchange(method, url, headers, body)
                status = response[0]
                retry_after = _retry_after(response[1])
            except (OSError, urllib.error.URLError) as error:
                failure = error
            pause = self._retry.pause(status, retry_after, attempt, repeatable, self._jitter())
            if pause is None:
                if status is None:
                    raise ConnectionFailed(f"The API could not be reached: {failure}") from failure
                return response
            self._sleep(pause)
            attempt += 1

    def _exchange(self, method: str, url: str, headers: Mapping[str, str], body: Body) -> Response:
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self._base_url}{url}", data=content, method=method)
        for name, value in headers.items():
            request.add_header(name, value)
        request.add_header("User-Agent", "shipping-route-data-python")
        if content is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                return response.status, _lower(response.headers), response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _lower(error.headers), error.read()


def _lower(headers: Any) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    try:
        return float(headers["retry-after"])
    except (KeyError, ValueError):
        return None


def _decoded(status: int, headers: Mapping[str, str], content: bytes) -> Any:
    """JSON as its value, text (CSV) as a string, everything else as bytes. Errors are raised."""
    media_type = headers.get("content-type", "")
    if status >= 400:
        try:
            problem = json.loads(content)
        except ValueError:
            problem = None
        # A proxy on the way may answer with something else.
        if not isinstance(problem, dict):
            problem = {}
        raise ApiError(
            status,
            str(problem.get("message", "The API did not say why")),
            errors=problem.get("errors"),
            request_id=problem.get("request_id", headers.get("x-request-id")),
            retry_after=_retry_after(headers),
        )
    if media_type.startswith("application/json"):
        return json.loads(content)
    return content.decode() if media_type.startswith("text/") else content

"""The client against scripted answers of a local server."""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Dict, List, Optional, Tuple

from shipping_route_data import ApiError, ApiKey, ConnectionFailed, Login, RetryPolicy, ShippingRouteClient

Answer = Tuple[int, Dict[str, str], Any]
NOW = 1_795_168_800.0  # 2026-11-20T10:00:00Z


class Scripted(HTTPServer):
    """Answers in order, and remembers what was asked. An answer of None drops the connection."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: List[Optional[Answer]] = []
        self.asked: List[Tuple[str, str, Dict[str, str], Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/api"


class Handler(BaseHTTPRequestHandler):
    server: Scripted

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length)) if length > 0 else None
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.command, self.path, headers, body))
        answer = self.server.answers.pop(0)
        if answer is None:
            self.close_connection = True
            return
        status, extra, content = answer
        is_text = isinstance(content, str)
        self.send_response(status)
        self.send_header("Content-Type", "text/csv; charset=utf-8" if is_text else "application/json")
        for name, value in extra.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content.encode() if is_text else json.dumps(content).encode())

    do_GET = do_POST = do_PUT = do_DELETE = answer

    def log_message(self, *_: Any) -> None:
        pass


def problem(status: int, retry_after: Optional[str] = None) -> Answer:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return status, headers, {"success": False, "message": "Said by the API", "request_id": "r-1"}


def token(access_token: str, expires_at: str) -> Answer:
    return 200, {}, {"access_token": access_token, "token_type": "Bearer", "expires_at": expires_at}


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = Scripted()
        thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.pauses: List[float] = []
        self.time = NOW

    def client(self, **options: Any) -> ShippingRouteClient:
        return ShippingRouteClient(
            self.server.url,
            **{"api_key": ApiKey("srd_live_x", "ops"), **options},
            sleep=self.pauses.append,
            jitter=lambda: 0.5,
            now=lambda: self.time,
        )

    def paths(self) -> List[str]:
        return [path.removeprefix("/api") for _, path, _, _ in self.server.asked]

    def test_sends_the_key_and_leaves_out_what_is_none(self) -> None:
        self.server.answers = [(200, {}, {"id": 109})]
        data = self.client().get_route_data_by_key(id=109, from_="2026-11-01", to=None)
        self.assertEqual(data["id"], 109)
        method, path, headers, _ = self.server.asked[0]
        self.assertEqual((method, path), ("GET", "/api/api-routes-data?id=109&from=2026-11-01"))
        self.assertEqual((headers["x-api-key"], headers["x-username"]), ("srd_live_x", "ops"))

    def test_raises_the_error_of_the_api(self) -> None:
        errors = [{"path": "id", "message": "Must be at least 1"}]
        content = {"success": False, "message": "Not valid", "errors": errors, "request_id": "r-2"}
        self.server.answers = [(422, {}, content)]
        with self.assertRaises(ApiError) as raised:
            self.client().get_route_data_by_key(id=0)
        error = raised.exception
        self.assertEqual((error.status, error.message, error.errors, error.request_id), (422, "Not valid", errors, "r-2"))

    def test_raises_an_error_for_an_answer_that_a_proxy_made_up(self) -> None:
        self.server.answers = [(502, {}, "<h1>Bad gateway</h1>")]
        with self.assertRaises(ApiError) as raised:
            self.client().list_regions()
        self.assertEqual(raised.exception.status, 502)

    def test_waits_as_long_as_retry_after_says_whatever_the_method(self) -> None:
        self.server.answers = [problem(429, "7"), (200, {}, {"routes": []})]
        self.client().check_access(route_id=1)
        self.assertEqual(self.pauses, [7.25])

    def test_raises_when_the_wait_would_be_longer_than_allowed(self) -> None:
        self.server.answers = [problem(429, "1800")]
        with self.assertRaises(ApiError) as raised:
            self.client().list_regions()
        self.assertEqual((raised.exception.status, raised.exception.retry_after), (429, 1800.0))
        self.assertEqual(self.pauses, [])

    def test_backs_off_exponentially_from_lost_connections_then_gives_up(self) -> None:
        self.server.answers = [None, None, None, None]
        with self.assertRaises(ConnectionFailed):
            self.client(retry=RetryPolicy(retries=3)).list_regions()
        self.assertEqual(self.pauses, [0.25, 0.5, 1.0])

    def test_repeats_a_post_with_the_same_idempotency_key(self) -> None:
        self.server.answers = [problem(503, "1"), None, (200, {}, {"subscriptions": []})]
        self.client().payment_success(payment_intent_id="pi_1")
        keys = [headers["idempotency-key"] for _, _, headers, _ in self.server.asked]
        self.assertEqual((len(keys), len(set(keys))), (3, 1))

    def test_does_not_repeat_any_other_post(self) -> None:
        for answer in (problem(503), None):
            self.server.answers = [answer]
            with self.assertRaises((ApiError, ConnectionFailed)):
                self.client().cancel_subscription(1)
        self.assertEqual(self.paths(), ["/subscriptions/1/cancel"] * 2)

    def test_logs_in_exchanges_the_token_in_its_last_hour_and_logs_in_again_when_it_is_revoked(self) -> None:
        client = self.client(api_key=None, login=Login("ops@example.com", "correct horse battery"))
        self.server.answers = [token("t-1", "2026-11-21T10:00:00.000Z"), (200, {}, {})]
        client.get_my_stats()
        self.time += 23.5 * 3600
        self.server.answers = [token("t-2", "2026-11-22T09:30:00.000Z"), (200, {}, {})]
        client.get_my_stats()
        self.server.answers = [problem(401), token("t-3", "2026-11-22T09:30:00.000Z"), problem(401)]
        with self.assertRaises(ApiError):
            client.get_my_stats()
        asked = [(path.removeprefix("/api"), headers.get("authorization")) for _, path, headers, _ in self.server.asked]
        self.assertEqual(
            asked,
            [
                ("/auth/login", None),
                ("/subscriptions/my-stats", "Bearer t-1"),
                ("/auth/refresh", "Bearer t-1"),
                ("/subscriptions/my-stats", "Bearer t-2"),
                ("/subscriptions/my-stats", "Bearer t-2"),
                ("/auth/login", None),
                ("/subscriptions/my-stats", "Bearer t-3"),
            ],
        )

    def test_reads_all_pages_with_the_same_filters(self) -> None:
        self.server.answers = [
            (200, {}, {"routes": [{"id": 1}, {"id": 2}], "next_cursor": "c2"}),
            (200, {}, {"routes": [{"id": 3}], "next_cursor": None}),
        ]
        self.assertEqual([route["id"] for route in self.client().iter_routes(origin="CNSHA", limit=2)], [1, 2, 3])
        self.assertEqual(
            self.paths(),
            [
                "/route-access/all-routes?origin=CNSHA&limit=2",
                "/route-access/all-routes?origin=CNSHA&limit=2&cursor=c2",
            ],
        )

    def test_reads_changes_until_there_are_no_more(self) -> None:
        self.server.answers = [
            (200, {}, {"changes": [{"id": 1}], "next_cursor": "c1", "has_more": True}),
            (200, {}, {"changes": [{"id": 2}], "next_cursor": "c2", "has_more": False}),
        ]
        changes = self.client().iter_changes(since="2026-11-20")
        self.assertEqual([change["id"] for change in changes], [1, 2])
        self.assertEqual(
            self.paths(),
            ["/route-access/changes?since=2026-11-20", "/route-access/changes?since=c1"],
        )

    def test_returns_csv_as_text(self) -> None:
        self.server.answers = [(200, {}, "id,name\n")]
        self.assertEqual(self.client().export_api_keys(), "id,name\n")

    def test_does_not_show_secrets(self) -> None:
        self.assertNotIn("srd_live_x", repr(ApiKey("srd_live_x", "ops")))
        self.assertNotIn("horse", repr(Login("ops@example.com", "horse")))


if __name__ == "__main__":
    unittest.main()

"""The client against a service that is played by a function."""

from __future__ import annotations

import gzip
import pickle
import threading
import time
import unittest
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

import httpx

from team_standup import Client, NoAnswerError, ProblemError, follow_events, paginate

PROBLEM = {
    "type": "about:blank",
    "title": "A parameter is not valid",
    "status": 400,
    "detail": "limit: at most 100",
    "instance": "/v1/teams",
    "code": "invalid_parameter",
    "request_id": "req_1",
    "errors": [{"code": "too_big", "detail": "at most 100", "parameter": "limit"}],
}


def problem(status: int, code: str, headers: dict[str, str] | None = None) -> httpx.Response:
    body = {**PROBLEM, "status": status, "code": code}
    return httpx.Response(
        status, json=body, headers={"Content-Type": "application/problem+json", **(headers or {})}
    )


class Service:
    """Answers one request after another, and keeps what was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

        def sleep(seconds: float) -> None:
            self.slept.append(seconds)
            self.now += seconds

        for name, fake in (("sleep", sleep), ("monotonic", lambda: self.now)):
            patch = mock.patch(f"time.{name}", fake)
            patch.start()
            self.addCleanup(patch.stop)

    def client(self, service: Callable[[httpx.Request], httpx.Response]) -> Client:
        return Client("https://standup.example", "secret-token\n", transport=httpx.MockTransport(service))

    def test_a_change_has_one_key_through_all_its_tries(self) -> None:
        service = Service(
            httpx.ReadError("broken"),
            problem(500, "internal_error"),
            httpx.Response(201, json={"id": "std_1"}),
        )
        self.assertEqual(self.client(service).post_standup({"team": "a", "update": "b"})["id"], "std_1")
        keys = [request.headers["Idempotency-Key"] for request in service.asked]
        self.assertEqual(len(keys), 3)
        self.assertEqual(len(set(keys)), 1)
        self.assertEqual(len({request.content for request in service.asked}), 1)

    def test_every_change_has_a_key_and_no_read_has_one(self) -> None:
        service = Service(httpx.Response(204))
        client = self.client(service)
        client.delete_team("a")
        client.delete_team("a")
        client.get_team("a")
        first, second, read = (request.headers.get("Idempotency-Key") for request in service.asked)
        self.assertTrue(first and second and first != second)
        self.assertIsNone(read)

    def test_retry_after_is_waited_for(self) -> None:
        service = Service(
            problem(503, "service_unavailable", {"Retry-After": "7"}), httpx.Response(200, json={})
        )
        self.client(service).get_me()
        self.assertEqual(self.slept, [7.0])
        self.assertEqual(
            {request.headers["Authorization"] for request in service.asked}, {"Bearer secret-token"}
        )

    def test_retry_after_may_be_a_date(self) -> None:
        later = format_datetime(datetime.now(UTC) + timedelta(seconds=9), usegmt=True)
        service = Service(problem(429, "rate_limited", {"Retry-After": later}), httpx.Response(200, json={}))
        self.client(service).get_me()
        self.assertTrue(7 < self.slept[0] < 10, self.slept)

    def test_a_retry_after_beyond_the_limit_fails_at_once(self) -> None:
        for value in ("31", "9" * 400):
            service = Service(problem(503, "workspace_read_only", {"Retry-After": value}))
            with self.assertRaises(ProblemError) as raised:
                self.client(service).get_me()
            self.assertEqual(raised.exception.code, "workspace_read_only")
        self.assertEqual(self.slept, [])

    def test_a_retry_after_that_is_no_time_is_ignored(self) -> None:
        for value in ("soon", "-5", "1.5e9", "٣"):
            headers = {"Retry-After": value} if value.isascii() else {}
            self.client(Service(problem(503, "x", headers), httpx.Response(200, json={}))).get_me()
        self.assertTrue(all(seconds < 1 for seconds in self.slept), self.slept)

    def test_a_service_that_is_down_is_asked_for_thirty_seconds(self) -> None:
        service = Service(httpx.ConnectError("refused"))
        with self.assertRaises(NoAnswerError) as raised:
            self.client(service).create_team({"slug": "a", "name": "A"})
        self.assertTrue(20 < sum(self.slept) <= 30, self.slept)
        self.assertEqual(raised.exception.idempotency_key, service.asked[0].headers["Idempotency-Key"])

    def test_a_refusal_is_not_repeated(self) -> None:
        service = Service(problem(400, "invalid_parameter"))
        with self.assertRaises(ProblemError) as raised:
            self.client(service).list_teams(limit=1000)
        error = raised.exception
        self.assertEqual(len(service.asked), 1)
        self.assertEqual((error.status, error.code, error.request_id), (400, "invalid_parameter", "req_1"))
        self.assertEqual([fault.get("parameter") for fault in error.errors], ["limit"])
        self.assertIn("limit: at most 100", str(error))

    def test_an_error_passes_between_processes(self) -> None:
        with self.assertRaises(ProblemError) as raised:
            self.client(Service(problem(404, "not_found"))).get_team("a")
        copy = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual((copy.code, str(copy)), ("not_found", str(raised.exception)))

    def test_an_answer_of_a_proxy_is_an_error_with_its_status(self) -> None:
        for body in (
            "<h1>Forbidden</h1>",
            "[1]",
            "null",
            '"x"',
            "{",
            '{"status": 1, "errors": {"a": ["b"]}}',
        ):
            for kind in ("text/html", "application/problem+json"):
                service = Service(httpx.Response(403, text=body, headers={"Content-Type": kind}))
                with self.assertRaises(ProblemError) as raised:
                    self.client(service).get_me()
                self.assertEqual((raised.exception.code, raised.exception.status), ("http_403", 403))
                self.assertIn("answered 403", str(raised.exception))

    def test_a_page_of_a_proxy_is_no_answer(self) -> None:
        for answer in (
            httpx.Response(200, html="<h1>Sign in</h1>"),
            httpx.Response(200, text="{", headers={"Content-Type": "application/json"}),
        ):
            with self.assertRaises(NoAnswerError):
                self.client(Service(answer)).get_me()

    def test_a_redirect_gets_no_token(self) -> None:
        service = Service(httpx.Response(302, headers={"Location": "https://elsewhere.example/"}))
        with self.assertRaises(ProblemError):
            self.client(service).get_me()
        self.assertEqual([request.url.host for request in service.asked], ["standup.example"])

    def test_an_export_is_text(self) -> None:
        lines = '{"id": "std_1"}\n{"id": "std_2"}\n'
        service = Service(httpx.Response(200, text=lines, headers={"Content-Type": "application/x-ndjson"}))
        self.assertEqual(self.client(service).export_standups(), lines)

    def test_an_id_is_one_segment_of_the_path(self) -> None:
        service = Service(httpx.Response(204))
        client = self.client(service)
        client.remove_team_member("a/../b", "ada@example.com?x#y")
        self.assertEqual(
            service.asked[0].url.raw_path, b"/v1/teams/a%2F..%2Fb/members/ada%40example.com%3Fx%23y"
        )
        for wrong in ("..", ".", ""):
            with self.assertRaises(ValueError):
                client.remove_team_member(wrong, "mem_1")
        self.assertEqual(len(service.asked), 1)

    def test_queries_are_sent_as_the_api_reads_them(self) -> None:
        service = Service(httpx.Response(200, json={"data": [], "has_more": False, "next_cursor": None}))
        client = self.client(service)
        client.list_standups(team="platform", q="a&b=c", limit=5)
        client.list_standups(team=["platform", "mobile"])
        self.assertEqual(
            [dict(request.url.params) for request in service.asked],
            [{"team": "platform", "q": "a&b=c", "limit": "5"}, {"team": "platform,mobile"}],
        )

    def test_if_match_comes_from_an_object_or_a_text(self) -> None:
        service = Service(httpx.Response(204))
        client = self.client(service)
        client.delete_team("a", if_match={"revision": 3})
        client.delete_team("a", if_match="*")
        client.delete_team("a")
        self.assertEqual([request.headers.get("If-Match") for request in service.asked], ['"3"', "*", None])

    def test_a_standup_for_several_teams_has_a_method_of_its_own(self) -> None:
        service = Service(httpx.Response(201, json={"object": "list", "data": []}))
        client = self.client(service)
        with self.assertRaises(TypeError):
            client.post_standup({"teams": ["a", "b"], "update": "c"})
        with self.assertRaises(TypeError):
            client.post_standup_to_teams({"team": "a", "update": "c"})
        self.assertEqual(service.asked, [])
        self.assertEqual(client.post_standup_to_teams({"teams": ["a", "b"], "update": "c"})["data"], [])

    def test_paginate_reads_each_page_when_it_is_needed(self) -> None:
        service = Service(
            httpx.Response(200, json={"data": [1, 2], "has_more": True, "next_cursor": "next"}),
            httpx.Response(200, json={"data": [], "has_more": True, "next_cursor": "last"}),
            httpx.Response(200, json={"data": [3], "has_more": False, "next_cursor": None}),
        )
        rows = paginate(self.client(service).list_teams, limit=2, q="a")
        next(rows)
        self.assertEqual(len(service.asked), 1)
        self.assertEqual(list(rows), [2, 3])
        self.assertEqual(
            [request.url.params.get("cursor") for request in service.asked], [None, "next", "last"]
        )
        self.assertEqual({request.url.params["q"] for request in service.asked}, {"a"})

    def test_following_continues_from_the_kept_cursor(self) -> None:
        service = Service(
            httpx.Response(200, json={"data": [{"id": "evt_1"}], "has_more": False, "next_cursor": "b"}),
            httpx.Response(200, json={"data": [], "has_more": False, "next_cursor": "c"}),
        )
        following = follow_events(self.client(service), "a", types=["standup.*", "team.created"])
        self.assertEqual(next(following), ([{"id": "evt_1"}], "b"))
        self.assertEqual(next(following), ([], "c"))
        first, second = (dict(request.url.params) for request in service.asked)
        self.assertEqual((first["cursor"], second["cursor"]), ("a", "b"))
        self.assertEqual((first["types"], first["wait"]), ("standup.*,team.created", "30"))
        self.assertEqual(service.asked[0].extensions["timeout"]["read"], 40)

    def test_neither_the_client_nor_its_errors_show_the_token(self) -> None:
        client = self.client(Service(httpx.ConnectError("refused")))
        with self.assertRaises(NoAnswerError) as raised:
            client.get_me()
        self.assertNotIn("secret-token", repr(client) + repr(raised.exception) + str(raised.exception))

    def test_an_answer_that_is_compressed_is_read(self) -> None:
        content = gzip.compress(b'{"role": "owner"}')
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}

        def answer(_: httpx.Request) -> httpx.Response:
            return httpx.Response(200, headers=headers, stream=httpx.ByteStream(content))

        self.assertEqual(self.client(answer).get_me()["role"], "owner")


class Dripping(BaseHTTPRequestHandler):
    """Answers with one byte after another, for a minute."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "600")
        self.end_headers()
        with suppress(OSError):
            for _ in range(600):
                self.wfile.write(b" ")
                time.sleep(0.1)

    def log_message(self, *_: object) -> None:
        pass


class DrippingTest(unittest.TestCase):
    def test_an_answer_that_drips_takes_no_longer_than_the_limit(self) -> None:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Dripping)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        client = Client(f"http://127.0.0.1:{server.server_port}", "token", retry_for=2, timeout=1)
        began = time.monotonic()
        with self.assertRaises(NoAnswerError):
            client.get_me()
        self.assertLess(time.monotonic() - began, 10)


if __name__ == "__main__":
    unittest.main()

"""A tiny HTTP server that speaks the contract's answers, for what a client does with them: waiting, trying again, reading, refusing.

It knows nothing of memory; tests of the service itself use the service itself.
"""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Variables = dict[str, Any]
Answer = tuple[int, bytes]

EPISODE: dict[str, Any] = {
    "id": "ep_1",
    "kind": "EPISODE",
    "space": "default",
    "text": "The shelf in bay 4 holds 120 kg.",
    "status": "ACTIVE",
    "confidence": 0.7,
    "trust": 0.7,
    "recordedAt": "2026-03-01T08:12:05+00:00",
    "validFrom": None,
    "validTo": None,
    "externalId": "m-1",
    "role": "USER",
    "occurredAt": "2026-03-01T09:12:00+01:00",
    "contributor": {"externalId": "ana", "name": "Ana Duarte"},
    "source": {"id": "src_1", "key": "conversation", "channel": "conversation", "trust": 0.7},
    "session": {"externalId": "s-1"},
}
HIT: dict[str, Any] = {
    "rank": 1,
    "score": 0.61,
    "parts": {"meaning": 0.8, "words": 0.5, "recency": 0.4, "confidence": 0.7},
    "suspect": [],
    "memory": EPISODE,
}
FOUND: dict[str, Any] = {"recall": {"hits": [HIT], "cut": {"belowFloor": 2, "quarantined": 0}, "tookMs": 12.5}}
STATUS: dict[str, Any] = {
    "status": {
        "version": "0.1.0",
        "neo4j": "2026.01.4",
        "gds": "2.26.0",
        "embedder": "use",
        "llm": None,
        "pendingJobs": 3,
        "parkedJobs": 0,
        "deadJobs": 0,
        "healthy": True,
    }
}


def data(value: object) -> Answer:
    return 200, json.dumps({"data": value}).encode()


def problem(field_name: str, *, code: str, message: str, hint: str | None = None, field: str | None = None) -> Answer:
    return data({field_name: {"__typename": "Problem", "code": code, "message": message, "hint": hint, "field": field}})


def error(message: str, *, status: int = 200, **extensions: str) -> Answer:
    return status, json.dumps({"data": None, "errors": [{"message": message, "extensions": extensions}]}).encode()


@dataclass
class Stub:
    """Answers with `respond`; `requests` are the variables it was sent, in order; `kept` the externalIds it acknowledged."""

    url: str = ""
    requests: list[Variables] = field(default_factory=list[Variables])
    kept: dict[str, str] = field(default_factory=dict[str, str])
    respond: Callable[[str, Variables], Answer] = lambda document, variables: error("not scripted")

    def keep(self, variables: Variables) -> Answer:
        """An answer to `remember` that knows an externalId again."""
        episodes: list[dict[str, str]] = []
        duplicates = 0
        for given in variables["input"]["episodes"]:
            key = given["externalId"] or f"none-{len(self.kept)}"
            duplicates += key in self.kept
            self.kept.setdefault(key, f"ep_{len(self.kept)}")
            episodes.append({"id": self.kept[key], "externalId": given["externalId"]})
        return data({"remember": {"__typename": "Remembered", "episodes": episodes, "duplicates": duplicates, "quarantined": 0}})

    def in_turn(self, *answers: Answer) -> None:
        """These answers one after the other, the last one for ever."""
        left = list(answers)
        self.respond = lambda document, variables: left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def serving() -> Generator[Stub]:
    """A stub on a free loopback port."""
    stub = Stub()
    answering = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(200 if self.path == "/readyz" else 404, b"{}")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with answering:
                stub.requests.append(body["variables"])
                status, content = stub.respond(body["query"], body["variables"])
            self._send(status, content)

        def _send(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that hangs up is part of these tests."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

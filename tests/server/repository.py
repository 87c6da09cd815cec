"""A small Maven repository on loopback that can misbehave as told, and a lock of made-up jars to fetch from it."""

import hashlib
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from consilience.server.lock import Jar


def a_jar(name: str, content: bytes, *, where: str = "lib") -> Jar:
    """A row whose content is known."""
    return Jar(where, f"org.example:{name}:1.0", hashlib.sha256(content).hexdigest(), len(content))


class Repository:
    """`contents`: path -> bytes. `faults`: path -> what to do at the first requests, in order: an HTTP status, or "cut"."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.faults: dict[str, list[int | str]] = {}
        self.requests: Counter[str] = Counter()
        self.url = ""
        self._lock = threading.Lock()

    def holds(self, jar: Jar, content: bytes, *faults: int | str) -> None:
        self.contents[jar.path] = content
        self.faults[jar.path] = list(faults)

    def next_fault(self, path: str) -> int | str | None:
        with self._lock:
            self.requests[path] += 1
            return self.faults[path].pop(0) if self.faults.get(path) else None


@contextmanager
def serving() -> Generator[Repository]:
    """A repository that serves until the block ends."""
    repository = Repository()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.lstrip("/")
            fault, content = repository.next_fault(path), repository.contents.get(path)
            status = fault if isinstance(fault, int) else 200 if content is not None else 404
            body = content if content is not None and status == 200 else b""
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if fault == "cut" else body)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    repository.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield repository
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""A web server that keeps the requests that it gets."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest


@dataclass
class Receiver:
    """A web server; it answers with `answers` in turn, then 204, and waits for `gate` first."""

    url: str = ""
    answers: list[int] = field(default_factory=list)
    gate: Event = field(default_factory=Event)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers in self.headers]


def handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.gate.wait(5)
            receiver.bodies.append(body)
            receiver.headers.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
            self.send_header("location", "/elsewhere")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None: ...

    return Handler


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A web server that keeps what it gets."""
    found = Receiver()
    found.gate.set()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(found))
    found.url = f"http://127.0.0.1:{server.server_port}/hook"
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield found
    found.gate.set()
    server.shutdown()
    server.server_close()

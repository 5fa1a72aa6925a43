"""A server that answers as a test wants it to."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Event, Thread
from typing import NamedTuple


class Reply(NamedTuple):
    """What is answered at a path."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    hangs: bool = False


class Web(ThreadingHTTPServer):
    """Answers at the paths that it was given, and notes who asked for what."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies: dict[str, Reply] = {}
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        self.end = Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that waits no longer is no error."""

    @property
    def port(self) -> int:
        """Its port."""
        return int(self.server_address[1])

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """Return the URL of a path."""
        return f"http://{host}:{self.port}{path}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Web

    def _answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        asked = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.command, self.path, asked, self.rfile.read(length)))
        reply = self.server.replies.get(self.path, Reply(404))
        if reply.hangs:
            self.server.end.wait(60)
        self.send_response(reply.status)
        headers = dict(reply.headers)
        if "Transfer-Encoding" not in headers:
            headers["Content-Length"] = str(len(reply.body))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    do_GET = do_HEAD = do_POST = _answer  # noqa: N815 - the server looks for these names

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(context: SSLContext | None = None) -> Iterator[Web]:
    """Serve until the end of the block; over HTTPS where there is what that needs."""
    with Web() as server:
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.end.set()
            server.shutdown()
            thread.join()

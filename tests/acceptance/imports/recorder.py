"""A server that passes requests on and keeps the answers, to give them again without the other."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Self

import httpx2 as httpx


class Recorder:
    """Serves what another server answered; `outages` makes it fail so many requests first."""

    def __init__(self, behind: str | None) -> None:
        self.behind = behind
        self.kept: dict[str, bytes] = {}
        self.outages = 0
        self.answers_left: int | None = None
        self.asked: list[str] = []
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = recorder.answer(self.path)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, path: str) -> tuple[int, bytes]:
        """Answer a request."""
        self.asked.append(path)
        if self.outages:
            self.outages -= 1
            return 503, b"{}"
        if self.answers_left is not None:
            if self.answers_left == 0:
                return 503, b"{}"
            self.answers_left -= 1
        if self.behind:
            self.kept[path] = httpx.get(self.behind + path).content
        return (200, self.kept[path]) if path in self.kept else (404, b"{}")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

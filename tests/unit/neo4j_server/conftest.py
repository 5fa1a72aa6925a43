"""A Maven repository on this machine: a real HTTP server that serves files, with ranges."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from lineagegraph.neo4j_server.lock import Artifact


@dataclass
class Repository:
    """What is served, what was asked for, and how the next answers go wrong."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)
    cut_after: list[int] = field(default_factory=list)
    ranges: bool = True

    def publish(self, coordinate: str, content: bytes) -> Artifact:
        artifact = Artifact(coordinate, hashlib.sha256(content).hexdigest(), len(content))
        self.files[f"/{artifact.path}"] = content
        return artifact


class Server(ThreadingHTTPServer):
    request_queue_size = 64


class Handler(BaseHTTPRequestHandler):
    repository: Repository

    def do_GET(self) -> None:
        shelf = self.repository
        shelf.asked.append((self.path, self.headers.get("Range")))
        content = shelf.files.get(self.path)
        if shelf.failures:
            self.send_error(shelf.failures.pop())
        elif content is None:
            self.send_error(404)
        else:
            self._send(content)

    def _send(self, content: bytes) -> None:
        start = self._start() if self.repository.ranges else 0
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        cuts = self.repository.cut_after
        self.wfile.write(content[start:][: cuts.pop() if cuts else None])

    def _start(self) -> int:
        found = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        return int(found.group(1)) if found else 0

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def repository() -> Iterator[Repository]:
    shelf = Repository()
    handler = type("Handler", (Handler,), {"repository": shelf})
    with Server(("127.0.0.1", 0), handler) as server:
        shelf.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield shelf
        server.shutdown()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "there" / "some.jar"

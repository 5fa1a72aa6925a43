"""As much of Kubernetes' API as Spark's client asks for; no pod runs."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple

_PATH = re.compile(
    r"/(?:api|apis/(?P<group>[^/]+))/[^/]+/namespaces/[^/]+/(?P<kind>[^/?]+)(?P<one>/)?"
)
_TIME = "2026-03-02T00:00:00Z"
_WRITES = {"POST": "create", "PATCH": "patch", "PUT": "update", "DELETE": "delete"}


class Asked(NamedTuple):
    """A right that a request needs."""

    group: str
    resource: str
    verb: str


@dataclass
class KubernetesApi:
    """The requests so far; driver pods run until `ends` is set, and then have the phase `end`."""

    end: str
    url: str = ""
    ends: Event = field(default_factory=Event)
    asked: set[Asked] = field(default_factory=set)
    #: the answer to watches
    watches: int = 200
    objects: list[dict[str, Any]] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)

    @property
    def pod(self) -> dict[str, Any]:
        """The pod of the driver."""
        (found,) = [each for each in self.objects if each["kind"] == "Pod"]
        return found


@contextmanager
def kubernetes_api(end: str) -> Iterator[KubernetesApi]:
    """Serve the API on loopback."""
    api = KubernetesApi(end)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("_Own", (_Handler,), {"api": api}))
    server.daemon_threads = True
    api.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield api
    api.ends.set()
    server.shutdown()
    server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: KubernetesApi

    def do_POST(self) -> None:
        self._note()
        made = json.loads(self._body())
        self.api.objects.append(json.loads(json.dumps(made)))
        made["metadata"] |= {"uid": "u-1", "creationTimestamp": _TIME}
        self._reply(made | {"status": {"phase": "Pending"}}, 201)

    do_PATCH = do_POST  # noqa: N815

    def do_DELETE(self) -> None:
        self._note()
        self._body()
        self.api.deleted.append(self.path)
        self.api.ends.set()
        self._reply({"kind": "Status", "status": "Success"})

    def do_GET(self) -> None:
        if "watch=true" in self.path:
            self._answer_watch()
            return
        is_one = self._note()
        pods = [self._pod()] if self.api.objects else []
        if not is_one:
            self._reply({"kind": "PodList", "items": pods})
        elif pods:
            self._reply(pods[0])
        else:
            self._reply({"kind": "Status", "status": "Failure", "reason": "NotFound"}, 404)

    def _answer_watch(self) -> None:
        self._note("watch")
        if self.api.watches != HTTPStatus.OK:
            self._reply({"kind": "Status", "status": "Failure"}, self.api.watches)
        elif self.headers["upgrade"]:  # no web sockets: the client then asks plainly
            self._reply({"kind": "Status", "status": "Failure", "code": 400})
        else:
            self._watch()

    def _watch(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self._chunk({"type": "MODIFIED", "object": self._pod()})
        self.api.ends.wait(60)
        self._chunk({"type": "MODIFIED", "object": self._pod()})
        time.sleep(1)
        self.wfile.write(b"0\r\n\r\n")

    def _pod(self) -> dict[str, Any]:
        phase = self.api.end if self.api.ends.is_set() else "Running"
        about = self.api.pod["metadata"] | {"uid": "u-1", "creationTimestamp": _TIME}
        return self.api.pod | {"metadata": about, "status": {"phase": phase}}

    def _note(self, verb: str | None = None) -> bool:
        found = _PATH.match(self.path)
        assert found is not None, self.path
        reads = "get" if found["one"] else "list"
        verb = verb or _WRITES.get(self.command, reads)
        self.api.asked.add(Asked(found["group"] or "", found["kind"], verb))
        return bool(found["one"])

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers["content-length"] or 0))

    def _chunk(self, event: dict[str, Any]) -> None:
        data = json.dumps(event).encode() + b"\n"
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def _reply(self, answer: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None: ...

"""Hosts, origins, types of bodies, slow requests and limits, byte for byte over sockets."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.model.access import Role
from lineagegraph.settings import Settings
from tests.events import run_event

Serve = Callable[..., str]
JSON = ("Content-Type: application/json",)
OWN = "Host: 127.0.0.1:{port}"
READ, CHANGE = "GET /health", "PUT /api/v1/namespaces/shop"
PATHS = ("/health", "/metrics", "/api/v1/jobs", "/api/v1/run-states", "/no/such/path", "*")


@pytest.fixture(scope="module")
def serve(
    connection: Graph, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Serve]:
    """Serve with some settings changed, and give the URL."""
    with ExitStack() as open_until_the_end:

        def start(**changes: Any) -> str:
            own = settings.model_copy(update={"home": tmp_path_factory.mktemp("guard"), **changes})
            server = HttpServer(make_application(connection, own), bind("127.0.0.1", 0))
            server.start()
            open_until_the_end.callback(server.stop)
            return server.url

        yield start


@pytest.fixture(scope="module")
def url(serve: Serve) -> str:
    """A server that all rows of the tables share."""
    return serve(
        host="0.0.0.0",
        allowed_hosts=("lineage.example.org", "*.lan"),
        allowed_origins=("https://portal.example.org",),
    )


def connect(url: str) -> socket.socket:
    address, _, port = url.removeprefix("http://").partition(":")
    return socket.create_connection((address, int(port)), timeout=20)


def send(url: str, line: str, *headers: str, body: bytes = b"") -> int:
    """Send a request as it stands; return the status of its answer."""
    port = url.rpartition(":")[2]
    said = [one.format(port=port) for one in headers]
    length = [f"Content-Length: {len(body)}"] if body else []
    head = "\r\n".join([f"{line} HTTP/1.1", *said, *length, "Connection: close", "", ""])
    with connect(url) as connection:
        connection.sendall(head.encode("latin-1") + body)
        return int(connection.makefile("rb").readline().split()[1])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Host: localhost"], 200),
        (["Host: LOCALHOST.:9"], 200),
        (["Host: shop.localhost:3000"], 200),
        (["Host: 127.8.9.1:{port}"], 200),
        (["Host: [::1]:{port}"], 200),
        (["Host: [::ffff:127.0.0.1]"], 200),
        (["Host: lineage.example.org"], 200),
        (["Host: a.b.lan:8642"], 200),
        ([f"Host: {socket.gethostname()}:8642"], 200),
        (["Host: 0.0.0.0:{port}"], 200),
        (["Host: lan"], 421),
        (["Host: evil.test"], 421),
        (["Host: evil.test:{port}"], 421),
        (["Host: localhost.evil.test"], 421),
        (["Host: notlocalhost"], 421),
        (["Host: lineage.example.org.evil.test"], 421),
        (["Host: 10.1.2.3"], 421),
        (["Host: [2001:db8::1]"], 421),
        (["Host: 127.1"], 421),
        (["Host: 2130706433"], 421),
        ([], 400),
        (["Host:"], 400),
        (["Host: localhost", "Host: evil.test"], 400),
        (["Host: localhost", "Host: localhost"], 400),
        (["Host: localhost evil.test"], 400),
        (["Host: localhost,evil.test"], 400),
        (["Host: evil.test@localhost"], 400),
        (["Host: localhost:99999"], 400),
        (["Host: localhost:x"], 400),
        (["Host: [::1"], 400),
        (["Host: [:::]"], 400),
        (["Host: http://localhost"], 400),
        (["Host: local\xe9"], 400),
    ],
)
def test_a_host_is_a_name_of_this_server(url: str, headers: list[str], status: int) -> None:
    assert send(url, READ, *headers) == status


def test_no_path_and_no_method_answers_to_a_foreign_host(url: str) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE"):
        for path in PATHS:
            assert send(url, f"{method} {path}", "Host: evil.test") == 421, (method, path)
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    assert send(url, "GET /ws", "Host: evil.test", *upgrade, key) == 421


def test_the_answer_names_the_setting(url: str) -> None:
    answer = httpx.get(f"{url}/health", headers={"Host": "evil.test"})
    assert "add it to the setting allowed_hosts" in answer.json()["error"]


@pytest.mark.parametrize(
    ("headers", "read", "change"),
    [
        ([], 200, 200),
        (["Origin: http://127.0.0.1:{port}"], 200, 200),
        (["Origin: https://portal.example.org", "Sec-Fetch-Site: cross-site"], 200, 200),
        (["Referer: http://127.0.0.1:{port}/docs?x=1"], 200, 200),
        (["Sec-Fetch-Site: same-origin"], 200, 200),
        (["Sec-Fetch-Site: none"], 200, 200),
        (["Origin: null"], 403, 403),
        (["Origin:"], 403, 403),
        (["Origin: http://evil.test"], 403, 403),
        (["Origin: http://127.0.0.1:1"], 403, 403),
        (["Origin: http://127.0.0.1"], 403, 403),
        (["Origin: ftp://127.0.0.1:{port}"], 403, 403),
        (["Origin: http://evil.test@127.0.0.1:{port}"], 403, 403),
        (["Origin: https://portal.example.org.evil.test"], 403, 403),
        (["Origin: http://127.0.0.1:{port}", "Origin: http://evil.test"], 403, 403),
        (["Origin: http://127.0.0.1:{port}", "Sec-Fetch-Site: cross-site"], 403, 403),
        (["Sec-Fetch-Site: cross-site"], 403, 403),
        (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], 200, 403),
        (
            ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"],
            403,
            403,
        ),
        (["Sec-Fetch-Site: same-site"], 200, 403),
        (["Referer: http://evil.test/cats"], 200, 403),
        (["Referer: about:blank"], 200, 403),
    ],
)
def test_a_page_of_another_site_changes_nothing(
    serve: Serve, open_url: str, headers: list[str], read: int, change: int
) -> None:
    assert send(open_url, READ, OWN, *headers) == read
    body = b'{"ownerName": "me"}'
    assert send(open_url, CHANGE, OWN, *JSON, *headers, body=body) == change
    stream = change if change == 403 else 200
    assert send(open_url, "HEAD /api/v1/run-states", OWN, *headers) == stream


@pytest.fixture(scope="module")
def open_url(serve: Serve) -> str:
    """A server on loopback, where no request needs a token."""
    return serve(allowed_origins=("https://portal.example.org",))


def test_a_token_does_not_make_a_page_this_servers_own(graph: Graph, open_url: str) -> None:
    token = add_token(graph, "ci", {Role.WRITE: frozenset({"*"})})
    admitted = (f"Authorization: Bearer {token}", *JSON)
    body = b'{"ownerName": "me"}'
    assert send(open_url, CHANGE, OWN, *admitted, body=body) == 200
    assert send(open_url, CHANGE, OWN, *admitted, "Origin: http://evil.test", body=body) == 403


@pytest.mark.parametrize(
    ("types", "status"),
    [
        (["application/json"], 200),
        (["application/json; charset=utf-8"], 200),
        (["Application/JSON"], 200),
        (["application/x-ndjson"], 200),
        (["application/octet-stream"], 200),
        ([], 415),
        ([""], 415),
        (["text/plain"], 415),
        (["TEXT/PLAIN;charset=UTF-8"], 415),
        (["text/plain; application/json"], 415),
        (["application/x-www-form-urlencoded"], 415),
        (["multipart/form-data; boundary=x"], 415),
        (["application/json, text/plain"], 415),
        (["application/json", "text/plain"], 415),
        (["json"], 415),
    ],
)
def test_a_form_cannot_send_what_is_taken(open_url: str, types: list[str], status: int) -> None:
    headers = [OWN, *(f"Content-Type: {one}" for one in types)]
    assert send(open_url, CHANGE, *headers, body=b'{"ownerName": "me"}') == status
    chunked = (*headers, "Transfer-Encoding: chunked")
    body = b'13\r\n{"ownerName": "me"}\r\n0\r\n\r\n'
    with connect(open_url) as connection:
        head = [f"{CHANGE} HTTP/1.1", *(one.format(port=1) for one in chunked), "", ""]
        connection.sendall("\r\n".join(head).encode() + body)
        assert int(connection.recv(1000).split()[1]) == status


def test_a_change_without_a_body_needs_no_type(open_url: str) -> None:
    path = "/v3/namespaces/default/apps/shop/schedules/nightly/enable"
    assert send(open_url, f"POST {path}", OWN) == 404
    assert send(open_url, f"POST {path}", OWN, "Content-Length: 0") == 404
    refused = httpx.post(f"{open_url}/api/v1/lineage", content=b"{}")
    assert refused.status_code == 415
    assert "Content-Type: application/json" in refused.json()["error"]


def test_what_arrives_too_slowly_ends_with_its_connection(serve: Serve) -> None:
    url = serve(body_seconds=0.3, keep_alive_seconds=1)
    head = f"POST /api/v1/lineage HTTP/1.1\r\nHost: localhost\r\n{JSON[0]}\r\nContent-Length: 9\r\n"
    unread = "POST /no/such/path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0"
    cases = {
        "a body": (head + "\r\n{", b"HTTP/1.1 408"),
        "a head": (head, b""),
        "nothing": ("", b""),
        "empty lines": ("\r\n", b""),
        "a body that nothing reads": (f"{unread}9\r\n{JSON[0]}\r\n\r\n{{", b"HTTP/1.1 404"),
        "an idle connection": ("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 200"),
    }
    began = time.monotonic()
    opened = {name: connect(url) for name in cases}
    for name, (said, _) in cases.items():
        opened[name].sendall(said.encode())
    for name, (_, answer) in cases.items():
        with opened[name] as connection:
            got = connection.makefile("rb").read()
            assert got.startswith(answer), name
            assert bool(got) == bool(answer), name
    assert time.monotonic() - began < 10


def test_all_bodies_share_their_memory(serve: Serve) -> None:
    url = serve(max_bodies_bytes=20_000)
    head = f"POST /api/v1/lineage HTTP/1.1\r\nHost: localhost\r\n{JSON[0]}\r\n"
    with connect(url) as held:
        held.sendall(f"{head}Content-Length: 30000\r\n\r\n".encode() + b" " * 15_000)
        time.sleep(0.2)
        large = send(url, "POST /api/v1/lineage", OWN, *JSON, body=b" " * 15_000)
        small = send(url, "POST /api/v1/lineage", OWN, *JSON, body=b" " * 1_000)
        assert (large, small) == (503, 400)
        held.sendall(b" " * 15_000)
        assert held.recv(100).startswith(b"HTTP/1.1 400"), "the first of them had room"
    assert send(url, "POST /api/v1/lineage", OWN, *JSON, body=b" " * 15_000) == 400


def test_each_token_has_limits_of_its_own(graph: Graph, serve: Serve) -> None:
    limits = {"requests_per_second": 4, "events_per_second": 1, "streams": 1}
    url = serve(host="0.0.0.0", **{f"limit_{name}": most for name, most in limits.items()})
    everywhere = {Role.READ: frozenset({"*"}), Role.WRITE: frozenset({"*"})}
    one, other = (
        httpx.Client(
            base_url=url,
            timeout=60,
            headers={"Authorization": f"Bearer {add_token(graph, name, everywhere)}"},
        )
        for name in ("one", "other")
    )
    with one, other:
        answers = [one.get("/api/v1/tags") for _ in range(8)]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.headers["Retry-After"] == "1"
        assert "limit_requests_per_second" in refused.json()["error"]
        assert other.get("/api/v1/tags").status_code == 200
        time.sleep(1.1)
        batch = [run_event(f"job{number}") for number in range(15)]
        assert one.post("/api/v1/lineage/batch", json=batch).status_code == 200
        late = one.post("/api/v1/lineage/batch", json=batch[:9])
        assert "limit_events_per_second" in late.json()["error"]
        with one.stream("GET", "/api/v1/run-states") as stream:
            assert stream.status_code == 200
            assert one.get("/api/v1/run-states").status_code == 429
            with other.stream("GET", "/api/v1/run-states") as another:
                assert another.status_code == 200
        numbers = other.get("/metrics").text
    for reason in ("requests", "events", "streams"):
        counted = f'lineagegraph_requests_refused_total{{reason="{reason}"}} '
        assert float(numbers.partition(counted)[2].partition("\n")[0]) > 0, reason


def test_a_stream_ends_after_its_time(serve: Serve) -> None:
    url = serve(stream_seconds=0.3)
    with httpx.stream("GET", f"{url}/api/v1/run-states", timeout=20) as stream:
        assert "retry: 2000" in "".join(stream.iter_text())


def test_a_client_on_loopback_has_no_limit_unless_one_is_set(open_url: str) -> None:
    with httpx.Client(base_url=open_url, timeout=60) as client:
        statuses = {client.get("/no/such/path").status_code for _ in range(1_200)}
    assert statuses == {404}

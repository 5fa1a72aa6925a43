"""`doctor --security`: harmless attacks on one's own server."""

import stat
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from ssl import CERT_NONE, create_default_context
from urllib.parse import urlsplit

from lineagegraph.cli.operate.note import find_service
from lineagegraph.http.server import is_loopback
from lineagegraph.neo4j_server.doctor import Finding
from lineagegraph.settings import Settings

_EVENTS = "/api/v1/lineage"
_READS = "/api/v1/namespaces"
_FOREIGN = "http://attacker.example"
_SECONDS = 10


def attack(settings: Settings) -> list[Finding]:
    """Try on the running server what an attacker would, without changes."""
    found = [*_files(settings), *_network(settings)]
    service = find_service(settings)
    if service is None or not service.http:
        advice = "start it with `lineagegraph up`, and run this again"
        return [*found, Finding("HTTP", False, "no server is running", advice)]
    return [*found, *_http(service.http, settings)]


def _files(settings: Settings) -> Iterator[Finding]:
    """Yield whether other users of this machine can read what is kept below home."""
    home = settings.home
    if not home.exists():
        return
    seen = [path for path in home.iterdir() if _is_open(path)] if _is_open(home) else []
    detail = ", ".join(path.name for path in seen[:5])
    if seen:
        advice = f"chmod go-rwx {home}"
        yield Finding("Files", False, f"others can read {detail} in {home}", advice)
    else:
        yield Finding("Files", True, f"{home} is private")


def _is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & (stat.S_IRGRP | stat.S_IROTH))


def _network(settings: Settings) -> Iterator[Finding]:
    if is_loopback(settings.host):
        yield Finding("TLS", True, f"{settings.host} is reached from this machine only")
    elif settings.tls_certificate:
        yield Finding("TLS", True, f"certificate {settings.tls_certificate}")
    else:
        advice = "set tls_certificate and tls_key, or put a proxy with TLS in front"
        yield Finding("TLS", False, f"{settings.host} is served without TLS", advice)


def _http(url: str, settings: Settings) -> Iterator[Finding]:
    """Yield what requests of foreign web pages and of callers without a token get."""
    json = {"Content-Type": "application/json"}
    attempts: list[tuple[str, str, dict[str, str]]] = [
        ("Name of another host", "GET", {"Host": "attacker.example"}),
        ("Page of another site", "POST", {"Origin": _FOREIGN} | json),
        ("Page without an origin", "POST", {"Origin": "null"} | json),
        ("Form of a page", "POST", {"Content-Type": "text/plain"}),
        ("Behind a proxy", "GET", {"X-Forwarded-For": "192.0.2.1"}),
    ]
    if not is_loopback(settings.host):
        attempts += [
            ("No token", "GET", {}),
            ("Unknown token", "GET", {"Authorization": "Bearer x"}),
        ]
    for name, method, headers in attempts:
        status = _status(url, method, headers)
        refused = status in {401, 403, 415, 421}
        detail = f"answered {status}" if status else "no answer"
        yield Finding(name, refused, detail, "" if refused else "update lineagegraph")


def _status(url: str, method: str, headers: dict[str, str]) -> int | None:
    parts = urlsplit(url)
    path, body = (_READS, None) if method == "GET" else (_EVENTS, "{}")
    connection: HTTPConnection
    if parts.scheme == "https":
        context = create_default_context()
        context.check_hostname, context.verify_mode = False, CERT_NONE
        connection = HTTPSConnection(parts.netloc, timeout=_SECONDS, context=context)
    else:
        connection = HTTPConnection(parts.netloc, timeout=_SECONDS)
    try:
        connection.request(method, path, body, headers)
        return connection.getresponse().status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()

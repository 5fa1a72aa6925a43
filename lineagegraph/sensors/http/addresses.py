"""URLs in their canonical spelling, and the secrets for each."""

import base64

import httpx2

from lineagegraph.errors import InvalidConnection, InvalidSensor
from lineagegraph.sensors.connection import Connection

SCHEMES = ("http", "https")
_PORTS = {"http": 80, "https": 443}


def is_http(path: str) -> bool:
    """Return whether a path is an HTTP URL."""
    return path.partition("://")[0].lower() in SCHEMES


def checked_url(url: str) -> str:
    """Return a URL in its canonical spelling; raise `InvalidSensor` if it is not a valid one."""
    try:
        found = httpx2.URL(url)
    except (httpx2.InvalidURL, TypeError, ValueError) as error:
        raise InvalidSensor(f"url {url!r} is not a URL: {error}") from None
    if found.scheme not in SCHEMES or not found.host:
        raise InvalidSensor(f"url {url!r} must begin with http:// or https:// and a host")
    if found.userinfo:
        raise InvalidSensor(
            f"url of {found.host}: put the user and password into a connection, not into the URL"
        )
    return str(found.copy_with(fragment=None))


def joined(url: str, connection: Connection, name: str) -> httpx2.URL:
    """Return a URL below that of a connection; no other URL gets the connection's secrets."""
    if not connection.url:
        raise InvalidConnection(
            f"connection {name} has no url: set it to the server that may receive its secrets"
        )
    base = httpx2.URL(checked_url(connection.url))
    if not is_http(url):
        return base.copy_with(raw_path=_path(base, url))
    found = httpx2.URL(url)
    if origin_of(found) != origin_of(base):
        raise InvalidSensor(f"url {url} is not on the server of connection {name}")
    return found


def origin_of(url: httpx2.URL) -> tuple[str, str, int | None]:
    """Return the server that a URL is of."""
    return url.scheme, url.host, url.port or _PORTS.get(url.scheme)


def credentials(connection: Connection) -> dict[str, str]:
    """Return the headers that a connection adds."""
    said = dict(connection.headers)
    if connection.token:
        said["Authorization"] = f"Bearer {connection.token}"
    elif connection.user is not None:
        pair = f"{connection.user}:{connection.password or ''}".encode()
        said["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
    return said


def _path(base: httpx2.URL, url: str) -> bytes:
    folder, _, query = base.raw_path.partition(b"?")
    path, _, more = httpx2.URL(url).raw_path.partition(b"?")
    queries = b"&".join(filter(None, (query, more)))
    return folder.rstrip(b"/") + path + (b"?" + queries if queries else b"")

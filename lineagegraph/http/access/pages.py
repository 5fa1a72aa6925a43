"""Requests that a web page of another site makes in its reader's browser.

Browsers send `Sec-Fetch-Site` only to addresses that they trust, such as `localhost`: not to a
name of the page's owner that leads to loopback. So `Origin` and `Referer` count first.
"""

import re
from collections.abc import Collection

from starlette.datastructures import Headers

from lineagegraph.http.access.hosts import HostHeader

SAFE = ("GET", "HEAD", "OPTIONS")
_OWN = ("none", "same-origin")
_ORIGIN = re.compile(r"(https?)://(?:\[([0-9a-f:.]+)\]|([^\s/?#@:\[\]]+))(?::([0-9]{1,5}))?")
_PORTS = {"http": 80, "https": 443}


def foreign_source(headers: Headers, host: HostHeader, allowed: Collection[str]) -> str | None:
    """Return the header that shows a page of another site, or None if there is none.

    An origin is the server's own if it has the host and port of the request, or is `allowed`.
    """
    origins = headers.getlist("origin") or [_origin_of(one) for one in headers.getlist("referer")]
    if len(origins) == 1 and origins[0].lower() in allowed:
        return None
    if origins and (len(origins) > 1 or not _is_own(origins[0], host)):
        return f"Origin {origins[0][:200]}"
    site = headers.get("sec-fetch-site", "none")
    return None if site in _OWN else f"Sec-Fetch-Site {site[:20]}"


def foreign_reader(headers: Headers, host: HostHeader, allowed: Collection[str]) -> str | None:
    """Return the header of a page of another site that may not even read.

    A link on such a page leads here; an image, a script or a frame of it does not.
    """
    if "origin" in headers:
        return foreign_source(headers, host, allowed)
    is_link = headers.get("sec-fetch-mode") == "navigate"
    if is_link and headers.get("sec-fetch-dest", "document") == "document":
        return None
    return "Sec-Fetch-Site cross-site" if headers.get("sec-fetch-site") == "cross-site" else None


def _origin_of(referer: str) -> str:
    found = _ORIGIN.match(referer.lower())
    return found[0] if found else referer


def _is_own(origin: str, host: HostHeader) -> bool:
    found = _ORIGIN.fullmatch(origin.lower())
    if not found:
        return False
    usual = _PORTS[found[1]]
    name = (found[2] or found[3]).removesuffix(".")
    return (name, int(found[4] or usual)) == (host.name, host.port or usual)

"""The names of this server: a page whose own name leads here (DNS rebinding) has none of them."""

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

from starlette.datastructures import Headers

from lineagegraph.http.plumbing.refusal import RequestRefused

_WILDCARDS = ("", "0.0.0.0", "::")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._~-]+))(?::([0-9]{1,5}))?", re.IGNORECASE)


class HostHeader(NamedTuple):
    """The name or address in `Host`, in small letters, and its port if it has one."""

    name: str
    port: int | None


class AllowedHosts:
    """The names and addresses that requests may have in `Host`.

    These are loopback, `host` itself, and `allowed`, in which `*.example.org` stands for all names
    below it and `*` for all names. A server of all addresses has the name of its machine too.
    """

    def __init__(self, host: str, allowed: Iterable[str]) -> None:
        named = {one.lower().rstrip(".") for one in (*allowed, host)}
        if host in _WILDCARDS:
            machine = socket.gethostname().lower()
            named |= {machine, machine.partition(".")[0]} - {""}
        self._names = _LOOPBACK | named
        self._endings = tuple(one[1:] for one in named if one.startswith("*."))

    def admit(self, name: str, reached: str) -> bool:
        """Return whether a name is allowed; the address that a connection reached is."""
        if name in self._names or "*" in self._names:
            return True
        address = _address(name)
        if address:
            return address.is_loopback or address == _address(reached)
        return name.endswith((".localhost", *self._endings))


def read_host(headers: Headers) -> HostHeader:
    """Return the host of a request; raise `RequestRefused` with 400 unless it has exactly one."""
    given = headers.getlist("host")
    if len(given) != 1:
        fault = "two Host headers" if given else "no Host header"
        raise RequestRefused(400, f"{fault}: send one, with the name of this server")
    found = _HOST.fullmatch(given[0].strip())
    port = int(found[3]) if found and found[3] else None
    if not found or (found[1] and not _address(found[1])) or (port or 0) > 65535:
        raise RequestRefused(400, f"Host {given[0][:100]!r} is not a name or address with a port")
    return HostHeader((found[1] or found[2]).lower().removesuffix("."), port)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address; an IPv4 address written as IPv6 is the IPv4 address."""
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return (isinstance(found, IPv6Address) and found.ipv4_mapped) or found

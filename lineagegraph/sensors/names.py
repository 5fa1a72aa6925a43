"""Names of hosts, and the addresses that they lead to."""

import socket

from lineagegraph.errors import PokeFailed
from lineagegraph.sensors.hosts import Address, as_address


def look_up(host: str, port: int | None = None) -> list[Address]:
    """Return the addresses of a host, each once; it may block."""
    address = as_address(host)
    if address is not None:
        return [address]
    try:
        found = socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise PokeFailed(f"host {host} is not known: {error.strerror}") from None
    addresses = (as_address(str(place[0])) for *_, place in found)
    return [one for one in dict.fromkeys(addresses) if one]

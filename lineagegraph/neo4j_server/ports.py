"""The server's two ports: chosen once, remembered, and changed only if one is taken."""

import random
import socket
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from lineagegraph.errors import ServerNotStarted
from lineagegraph.model.typed import decode_json
from lineagegraph.neo4j_server.folder import write_whole

_BELOW_EPHEMERAL = range(20000, 32000)
"""Ports that no system hands out by itself to a program that asks for any."""


@dataclass(frozen=True)
class Ports:
    """The loopback ports of Bolt and of HTTP, which serves Browser."""

    bolt: int
    http: int


def remembered(file: Path) -> Ports | None:
    """Return the ports of earlier starts, if there are any."""
    try:
        return decode_json(file.read_bytes(), into=Ports)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def choose(file: Path) -> Ports:
    """Return the remembered ports if both are free, else others, and remember those."""
    ports = remembered(file)
    if ports is not None and is_free(ports.bolt) and is_free(ports.http):
        return ports
    ports = _free_pair()
    write_whole(file, msgspec.json.encode(asdict(ports)).decode())
    return ports


def is_free(port: int) -> bool:
    """Return whether no program listens on `port` of the loopback address."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _free_pair() -> Ports:
    candidates = random.sample(_BELOW_EPHEMERAL, 200)
    free = (port for port in candidates if is_free(port))
    try:
        return Ports(bolt=next(free), http=next(free))
    except StopIteration:
        raise ServerNotStarted(
            "127.0.0.1 has no two free ports between 20000 and 32000; stop other servers there"
        ) from None

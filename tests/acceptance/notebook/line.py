"""A line to a server that can be cut, and mended."""

import contextlib
import socket
from threading import Thread
from urllib.parse import urlsplit


class Line:
    """Leads from a port of its own to a server; while it is cut, nothing answers there."""

    def __init__(self, server: str) -> None:
        at = urlsplit(server)
        self._server = (at.hostname, at.port)
        self._port = 0
        self._open: list[socket.socket] = []
        self.mend()

    @property
    def address(self) -> str:
        """Where the server is by this line."""
        return f"bolt://127.0.0.1:{self._port}"

    def cut(self) -> None:
        """Close every connection, and take no more."""
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def mend(self) -> None:
        """Take connections, at the same port as before."""
        listener = socket.create_server(("127.0.0.1", self._port))
        self._port = listener.getsockname()[1]
        self._open.append(listener)
        Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._server)
                self._open += [near, far]
                for ends in ((near, far), (far, near)):
                    Thread(target=_carry, args=ends, daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)

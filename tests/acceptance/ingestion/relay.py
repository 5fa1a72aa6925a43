"""A road to a server that can be cut, as if the server had gone."""

import socket
from contextlib import suppress
from threading import Event, Thread


class Relay:
    """Listens on a port of its own and passes bytes on, until cut; then nobody listens."""

    def __init__(self, host: str, port: int) -> None:
        self._target = host, port
        self._ends: list[socket.socket] = []
        self._flows = Event()
        self._flows.set()
        self.port = 0
        self.mend()

    def mend(self) -> None:
        """Listen, on the same port as before."""
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind(("127.0.0.1", self.port))
        self._listener.listen()
        self.port = self._listener.getsockname()[1]
        Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def hold(self) -> None:
        """Pass nothing on, as if the server hung."""
        self._flows.clear()

    def release(self) -> None:
        """Pass on again, first what was held."""
        self._flows.set()

    def cut(self) -> None:
        """Break every connection, and take no more."""
        for end in [self._listener, *self._ends]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._target)
                self._ends += [near, far]
                for source, sink in ((near, far), (far, near)):
                    Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._flows.wait()
                sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

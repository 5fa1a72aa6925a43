"""A way to Neo4j on which answers to commits are lost: the change is made, and nobody is told."""

import socket
from contextlib import suppress
from threading import Thread
from typing import Self
from urllib.parse import urlsplit

# Messages of Bolt: a commit is all of what is sent at its time.
_BEGIN, _READS = b"\xb1\x11", b"\x84mode\x81r"
_COMMIT = b"\x00\x02\xb0\x12\x00\x00"
_ENOUGH = 1 << 16


class AnswerLosing:
    """A TCP proxy that ends a connection instead of passing the answer to a commit on."""

    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        self._target = (parts.hostname or "", parts.port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.uri = f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"
        #: how many of the next commits to leave without an answer, and whether of reads
        self.losses = 0
        self.of_reads = False
        #: whether to accept no connection after that
        self.stays_away = False

    def __enter__(self) -> Self:
        Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._go_away()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
                Thread(target=self._pass_on, args=(client, server), daemon=True).start()
                Thread(target=self._pass_back, args=(server, client), daemon=True).start()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        reads = False
        with suppress(OSError), client, server:
            while data := client.recv(_ENOUGH):
                if _BEGIN in data:
                    reads = _READS in data
                if data.endswith(_COMMIT) and self.losses and reads == self.of_reads:
                    self._lose(client, server, data)
                    return
                server.sendall(data)

    def _lose(self, client: socket.socket, server: socket.socket, data: bytes) -> None:
        self.losses -= 1
        if self.stays_away:
            self._go_away()
        # Nothing comes back from now on, though the commit arrives only after that.
        client.shutdown(socket.SHUT_WR)
        server.sendall(data)

    def _go_away(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    @staticmethod
    def _pass_back(server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError), client, server:
            while data := server.recv(_ENOUGH):
                client.sendall(data)

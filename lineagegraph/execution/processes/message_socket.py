"""Messages with their lengths over a socket."""

import socket
from threading import Lock
from typing import Any

import msgspec

from lineagegraph.model.typed import decode_msgpack

_HEAD = 8
_CHUNK_BYTES = 1 << 20


class MessageSocket:
    """One end of a connection; several threads may send."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lock = Lock()
        self._asking = Lock()
        self._received = bytearray()

    def fileno(self) -> int:
        """Return the descriptor, for `select`."""
        return self._connection.fileno()

    def send(self, message: msgspec.Struct) -> None:
        """Send a message; raise `OSError` if the other end is gone."""
        content = msgspec.msgpack.encode(message)
        with self._lock:
            self._connection.sendall(len(content).to_bytes(_HEAD) + content)

    def ask(self, question: msgspec.Struct, into: Any) -> Any:
        """Send a question, and return its answer; None if the other end is gone."""
        with self._asking:
            self.send(question)
            return self.receive(into)

    def receive(self, into: Any) -> Any:
        """Wait for a message; None if the other end is gone."""
        while (found := self._take(into)) is None:
            if not self.read():
                return None
        return found

    def received(self, into: Any) -> list[Any]:
        """Return the messages that are complete."""
        found = []
        while (message := self._take(into)) is not None:
            found.append(message)
        return found

    def read(self) -> bool:
        """Read what is there, or wait for it; False if the other end is gone."""
        try:
            chunk = self._connection.recv(_CHUNK_BYTES)
        except ConnectionError:
            return False
        self._received += chunk
        return bool(chunk)

    def close(self) -> None:
        """Close this end."""
        self._connection.close()

    def _take(self, into: Any) -> Any:
        end = _HEAD + int.from_bytes(self._received[:_HEAD])
        if len(self._received) < end or len(self._received) < _HEAD:
            return None
        content = bytes(self._received[_HEAD:end])
        del self._received[:end]
        return decode_msgpack(content, into=into)

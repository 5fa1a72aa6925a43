"""Messages over a socket: the length of each, then its content."""

import socket

_HEAD = 8


def send(connection: socket.socket, content: bytes) -> None:
    """Send one message."""
    connection.sendall(len(content).to_bytes(_HEAD) + content)


def receive(connection: socket.socket) -> bytes:
    """Return the next message; it is empty, or cut, if the other end was closed."""
    return _read(connection, int.from_bytes(_read(connection, _HEAD)))


def _read(connection: socket.socket, length: int) -> bytes:
    content = bytearray()
    while len(content) < length and (chunk := connection.recv(length - len(content))):
        content += chunk
    return bytes(content)

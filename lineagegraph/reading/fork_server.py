"""A process that has imported what definitions need, and forks for each file that is to be read.

Started with the number of a socket's file descriptor, over which connections come: each brings one
request and takes its answer. Its hash seed is fixed, so that sets have one order.
"""

import gc
import os
import signal
import socket
import sys
from typing import NoReturn

import msgspec

import lineagegraph.authoring.limit
import lineagegraph.authoring.on  # noqa: F401
from lineagegraph.reading.answer import Request
from lineagegraph.reading.importer import HEAD
from lineagegraph.reading.supervise import supervise


def main(control: socket.socket) -> NoReturn:
    """Serve until the other end is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    while True:
        _, fds, _, _ = socket.recv_fds(control, 1, 1)
        if not fds:
            os._exit(0)
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            connection = socket.socket(fileno=fds[0])
            supervise(_receive(connection), connection)
        os.close(fds[0])


def _receive(connection: socket.socket) -> Request:
    length = int.from_bytes(connection.recv(HEAD, socket.MSG_WAITALL))
    content = connection.recv(length, socket.MSG_WAITALL)
    return msgspec.msgpack.decode(content, type=Request)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))

"""The process that starts tasks outlives a moment at which the system has room for no other."""

import os
import resource
import socket
import subprocess
import sys

import psutil

from lineagegraph.execution.processes.fork_server import NOT_FORKED, STATUS, ForkServer


def start_task(server: ForkServer) -> int:
    """Start a task, and return its exit code."""
    connection, theirs = socket.socketpair()
    output, writing = os.pipe()
    status, telling = os.pipe()
    server.fork(theirs, writing, telling)
    code: int = STATUS.unpack(os.read(status, STATUS.size))[0]
    connection.close()
    os.close(output)
    os.close(status)
    return code


def run_beside_a_limit() -> None:
    """Start tasks before, while and after no process can be started."""
    if os.getuid() == 0:
        os.setuid(65534)  # the limit is not for root
    server = ForkServer(lambda connection: True)
    (process,) = psutil.Process().children()
    print(start_task(server))
    _, most = resource.prlimit(process.pid, resource.RLIMIT_NPROC)
    resource.prlimit(process.pid, resource.RLIMIT_NPROC, (0, most))
    print(start_task(server) - NOT_FORKED)
    resource.prlimit(process.pid, resource.RLIMIT_NPROC, (most, most))
    print(start_task(server))


def test_a_task_for_which_no_process_can_be_started_ends_no_other_and_may_be_tried_again() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", f"import {__name__} as test; test.run_beside_a_limit()"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.split() == ["0", "11", "0"]

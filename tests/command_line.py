"""The command line as processes that need not import the program anew: a server forks them."""

import faulthandler
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from threading import Lock
from typing import NoReturn

from lineagegraph import cli
from lineagegraph.neo4j_server import ServerAddress

_ALL = {module.name for module in pkgutil.walk_packages(cli.__path__, f"{cli.__name__}.")}
# All tests of a process share its server, which finds the program wherever it stands.
FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["pytest", *sorted(_ALL - {f"{cli.__name__}.__main__"})])
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_APPEND
# A start also reads the exit codes of other threads' processes: who reads second would find 255.
EXIT_CODES = Lock()


class CommandLine:
    """`lineagegraph` with the test's Neo4j in its environment."""

    def __init__(self, server: ServerAddress, folder: Path | None = None) -> None:
        own = {
            "LINEAGEGRAPH_NEO4J_URI": server.bolt,
            "LINEAGEGRAPH_NEO4J_PASSWORD": server.password,
        }
        self._environment = os.environ | own
        self._folder = folder or Path.cwd()

    def __call__(self, *words: str, text: str = "") -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        return run_command(words, self._folder, self._environment, text=text)


def run_command(
    words: tuple[str, ...],
    folder: Path,
    environment: Mapping[str, str],
    text: str = "",
    seconds: float = 60,
    together: bool = False,
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end in a forked process; its output is one text if together."""
    with tempfile.TemporaryDirectory() as name:
        streams = [Path(name, stream) for stream in ("in", "out", "out" if together else "err")]
        streams[0].write_text(text)
        process = FORKS.Process(target=_run, args=(words, streams, folder, environment))
        with EXIT_CODES:
            process.start()
        wait([process.sentinel], seconds)
        with EXIT_CODES:
            code = process.exitcode
        if code is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, seconds)
        said = [streams[1].read_text(), "" if together else streams[2].read_text()]
        if code == -signal.SIGSEGV and not said[0]:
            # A fork of a process with libraries that have threads may break, other than a command.
            warnings.warn(f"a fork broke in {words}: {said[1]}", stacklevel=2)
            return _run_anew(words, folder, environment, text, seconds)
        return subprocess.CompletedProcess(words, code, *said)


def _run_anew(
    words: tuple[str, ...], folder: Path, environment: Mapping[str, str], text: str, seconds: float
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "lineagegraph.cli", *words],
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def _run(
    words: tuple[str, ...], streams: list[Path], folder: Path, environment: Mapping[str, str]
) -> NoReturn:
    for number, stream in enumerate(streams):
        os.dup2(os.open(stream, os.O_RDONLY if number == 0 else _WRITING), number)
    faulthandler.enable()
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it ends with the process
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["lineagegraph", *words]
    cli.main()

"""The command line as processes that need not import the program anew: a server forks them."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path
from typing import NoReturn

from lineagegraph.neo4j_server import ServerAddress

# All tests of a process share its server, which finds the program wherever it stands.
FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["lineagegraph.cli", "pytest"])


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
        with tempfile.TemporaryDirectory() as name:
            streams = [Path(name, stream) for stream in ("in", "out", "err")]
            streams[0].write_text(text)
            process = FORKS.Process(
                target=_run, args=(words, streams, self._folder, self._environment)
            )
            process.start()
            process.join(60)
            if process.exitcode is None:
                process.kill()
                raise subprocess.TimeoutExpired(words, 60)
            said = [stream.read_text() for stream in streams[1:]]
            return subprocess.CompletedProcess(words, process.exitcode, *said)


def _run(
    words: tuple[str, ...], streams: list[Path], folder: Path, environment: Mapping[str, str]
) -> NoReturn:
    from lineagegraph.cli import main

    for number, stream in enumerate(streams):
        os.dup2(os.open(stream, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it ends with the process
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["lineagegraph", *words]
    main()

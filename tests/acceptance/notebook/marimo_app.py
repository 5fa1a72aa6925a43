"""A real marimo application of two widgets, beside what Python knows of them."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx2 as httpx

from tests.acceptance.notebook.lab import free_port
from tests.acceptance.processes import until

_APP = """
import marimo

app = marimo.App(width="full")


@app.cell
def _():
    import marimo as mo
    import lineagegraph as lg

    graph = lg.connect()
    explorer = mo.ui.anywidget(graph.explore())
    board = mo.ui.anywidget(graph.freshness())
    return board, explorer, mo


@app.cell
def _(explorer):
    explorer
    return


@app.cell
def _(board):
    board
    return


@app.cell
def _(board, explorer, mo):
    mo.md(f"explorer: {explorer.value['selected']}, board: {board.value['selected']}.")
    return
"""


class MarimoApp:
    """A server of the application, with the environment given."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        file = folder / "app.py"
        file.write_text(_APP)
        self.address = f"http://127.0.0.1:{free_port()}"
        self._log = (folder / "marimo.log").open("w")
        words = ["run", str(file), "--headless", "--port", self.address.rsplit(":", 1)[1]]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "marimo", *words],
            env=os.environ | dict(environment) | {"XDG_CONFIG_HOME": str(folder)},
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        until(self._answers, seconds=60)

    def close(self) -> None:
        """End the server and its kernels."""
        self._process.terminate()
        self._process.wait(timeout=30)
        self._log.close()

    def _answers(self) -> bool:
        assert self._process.poll() is None, Path(self._log.name).read_text()
        try:
            return httpx.get(f"{self.address}/health").is_success
        except httpx.TransportError:
            return False

"""A real JupyterLab, and its notebooks as a person has them: cells typed, run and looked at."""

import json
import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx2 as httpx
import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Locator, Page, expect

from tests.acceptance.processes import until

_ENDED = re.compile(r"\[\d+\]")
_KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
_SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}


class Lab:
    """A server with kernels that have the environment given; `app` is `lab` or `tree`."""

    def __init__(self, folder: Path, environment: Mapping[str, str], app: str = "lab") -> None:
        self.folder = folder / "notebooks"
        self.folder.mkdir(parents=True)
        self.token = secrets.token_hex(16)
        self._app = app
        self._address = f"http://127.0.0.1:{free_port()}"
        self._log = (folder / "jupyter.log").open("w")
        program = "lab" if app == "lab" else "notebook"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jupyter", program, *self._words()],
            env={**os.environ, **environment, **_own_places(folder)},
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        until(self._answers, seconds=60)

    def open(self, page: Page, *cells: str, name: str = "try") -> "Notebook":
        """Open a new notebook with these cells in a page of a browser."""
        path = f"{name}.ipynb"
        made = new_notebook(
            cells=[new_code_cell(source) for source in cells], metadata={"kernelspec": _KERNEL}
        )
        nbformat.write(made, self.folder / path)
        return self.visit(page, path)

    def visit(self, page: Page, path: str) -> "Notebook":
        """Open a notebook of the server's folder."""
        where = "lab/tree" if self._app == "lab" else "notebooks"
        page.goto(f"{self._address}/{where}/{path}?token={self.token}")
        notebook = Notebook(page)
        notebook.is_ready()
        return notebook

    def get(self, path: str) -> httpx.Response:
        """Ask the server's API."""
        return httpx.get(f"{self._address}/api/{path}", params={"token": self.token})

    def post(self, path: str) -> httpx.Response:
        """Tell the server's API."""
        return httpx.post(f"{self._address}/api/{path}", params={"token": self.token})

    def end_kernels(self) -> None:
        """End the kernels of all notebooks."""
        for session in self.get("sessions").json():
            httpx.delete(
                f"{self._address}/api/sessions/{session['id']}", params={"token": self.token}
            ).raise_for_status()

    def close(self) -> None:
        """End the server and its kernels."""
        self._process.terminate()
        self._process.wait(timeout=30)
        self._log.close()

    def _words(self) -> list[str]:
        return [
            "--no-browser",
            "--allow-root",
            f"--ServerApp.port={self._address.rsplit(':', 1)[1]}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.folder}",
            f"--IdentityProvider.token={self.token}",
            f"--{'LabApp' if self._app == 'lab' else 'JupyterNotebookApp'}"
            ".expose_app_in_browser=True",
        ]

    def _answers(self) -> bool:
        assert self._process.poll() is None, Path(self._log.name).read_text()
        try:
            return self.get("status").is_success
        except httpx.TransportError:
            return False


class Notebook:
    """A notebook that is open in a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.cells = page.locator(".jp-Notebook .jp-CodeCell")

    def is_ready(self) -> None:
        """Wait until its kernel takes cells."""
        expect(self.cells.first).to_be_visible(timeout=60_000)
        self.page.wait_for_function(
            "() => { const app = window.jupyterapp; const now = app?.shell.currentWidget;"
            " return now?.sessionContext?.session?.kernel?.status === 'idle'; }",
            timeout=60_000,
        )

    def run(self, number: int, seconds: float = 60) -> Locator:
        """Run a cell, wait until it has ended, and return its outputs."""
        self.start(number)
        cell = self.cells.nth(number)
        expect(cell.locator(".jp-InputPrompt").first).to_have_text(
            _ENDED, timeout=seconds * 1000, use_inner_text=True
        )
        return cell.locator(".jp-Cell-outputArea")

    def start(self, number: int) -> None:
        """Run a cell, and go on."""
        self.cells.nth(number).locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")

    def add(self, source: str) -> int:
        """Type a cell below all others, and return its number."""
        number = self.cells.count()
        self.page.evaluate(
            "(source) => { const {content} = window.jupyterapp.shell.currentWidget;"
            " content.model.sharedModel.addCell({cell_type: 'code', source}); }",
            source,
        )
        expect(self.cells).to_have_count(number + 1)
        return number

    def value(self, expression: str) -> object:
        """Return what an expression is in the kernel, by way of JSON."""
        number = self.add(f"import json; print('=>' + json.dumps({expression}))")
        text = self.run(number).inner_text()
        return json.loads(text.rsplit("=>", 1)[1])


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _own_places(folder: Path) -> dict[str, str]:
    """Return an environment in which nothing that a person has set for Jupyter counts."""
    for name, values in _SETTINGS.items():
        file = folder / "settings" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    return {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "IPYTHONDIR": str(folder / "ipython"),
    }

"""A notebook's kernel as Jupyter starts it: cells that are run, waited for and interrupted."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

from jupyter_client.manager import KernelManager


class CellFailed(Exception):
    """A cell that raised; its text is what the notebook shows."""


class Kernel:
    """A kernel that works in a folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._manager = KernelManager(kernel_name="python3")
        self._manager.start_kernel(cwd=str(folder), env=dict(environment))
        self._client = self._manager.client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=120)

    def run(self, cell: str, seconds: float = 120) -> str:
        """Run a cell to its end, and return what it printed and what its value is."""
        return self.finish(self.start(cell), seconds)

    def value(self, expression: str) -> Any:
        """Return what an expression is, by way of JSON."""
        return json.loads(self.run(f"import json; print(json.dumps({expression}))"))

    def start(self, cell: str) -> str:
        """Begin to run a cell, and return by what it is known."""
        return str(self._client.execute(cell, stop_on_error=False))

    def finish(self, cell: str, seconds: float = 120) -> str:
        """Wait for a cell's end, and return what `run` does; raise `CellFailed` if it raised."""
        until, texts = time.monotonic() + seconds, []
        while time.monotonic() < until:
            try:
                message = self._client.get_iopub_msg(timeout=1)
            except Empty:
                continue
            if message["parent_header"].get("msg_id") != cell:
                continue
            content = message["content"]
            match message["msg_type"]:
                case "stream":
                    texts.append(content["text"])
                case "execute_result" | "display_data":
                    texts.append(content["data"].get("text/plain", ""))
                case "error":
                    raise CellFailed(f"{content['ename']}: {content['evalue']}")
                case "status" if content["execution_state"] == "idle":
                    return "".join(texts)
        raise AssertionError(f"the cell takes more than {seconds} s; it said {texts}")

    def interrupt(self) -> None:
        """Do what Interrupt does."""
        self._manager.interrupt_kernel()

    def close(self) -> None:
        """End the kernel."""
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)


@contextmanager
def kernel(folder: Path, environment: Mapping[str, str]) -> Iterator[Kernel]:
    """Give a kernel, and end it."""
    started = Kernel(folder, environment)
    try:
        yield started
    finally:
        started.close()

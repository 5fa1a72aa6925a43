"""A kernel as a front-end has it: cells run, names completed, Interrupt and Restart."""

import os
from collections.abc import Mapping
from typing import Any

from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

_SECONDS = 60.0


def run_cell(client: BlockingKernelClient, *lines: str) -> tuple[str, bool]:
    """Run a cell; return what it shows, errors too, as text, and whether it succeeded."""
    shown: list[str] = []

    def note(message: dict[str, Any]) -> None:
        content = message["content"]
        match message["msg_type"]:
            case "stream":
                shown.append(content["text"])
            case "execute_result" | "display_data" | "update_display_data":
                shown.append(content["data"]["text/plain"])
            case "error":
                shown.append("\n".join(content["traceback"]))

    reply = client.execute_interactive("\n".join(lines), timeout=_SECONDS, output_hook=note)
    return "\n".join(shown), reply["content"]["status"] == "ok"


class Kernel:
    """A kernel whose processes have the settings given, and no others.

    `succeeded` says whether the last cell did.
    """

    def __init__(self, settings: Mapping[str, str]) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("LINEAGEGRAPH_")}
        self._manager, self._client = start_new_kernel(
            kernel_name="python3", env=clean | dict(settings)
        )
        self.succeeded = True

    def run(self, *lines: str) -> str:
        """Run a cell, and return what it shows, errors too, as text."""
        shown, self.succeeded = run_cell(self._client, *lines)
        return shown

    def complete(self, text: str) -> list[str]:
        """Return what the Tab key offers at the end of a text."""
        reply = self._client.complete(text, reply=True, timeout=_SECONDS)
        return list(reply["content"]["matches"])

    def interrupt(self) -> None:
        """Do what the Interrupt button does."""
        self._manager.interrupt_kernel()

    def restart(self) -> None:
        """Do what the Restart button does."""
        self._manager.restart_kernel(now=True)
        self._client.wait_for_ready(timeout=_SECONDS)

    def close(self) -> None:
        """End it."""
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)
